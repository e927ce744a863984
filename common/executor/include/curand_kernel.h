/// \file
/// cuRAND's generators for kernels. All are Philox 4x32-10 here (Salmon et al., 2011):
/// curandStatePhilox4_32_10_t draws the numbers that cuRAND's does, the others are as random, but draw
/// other numbers than cuRAND's.
#pragma once

#include "executor/language/always_inline.hpp"
#include "executor/language/language.hpp"

namespace nbody::executor {

/// Of one kind of generator: states of different kinds are different types.
template <int kKind>
struct RandomState {
  uint4 counter, drawn;
  uint2 key;
  unsigned next;  ///< of the four that have been drawn
  float normal;  ///< the second of two
  unsigned hasNormal;
};

NBODY_ALWAYS_INLINE uint4 philox(uint4 c, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
    c = {static_cast<unsigned>(b >> 32) ^ c.y ^ key.x,
         static_cast<unsigned>(b),
         static_cast<unsigned>(a >> 32) ^ c.w ^ key.y,
         static_cast<unsigned>(a)};
    key = {key.x + 0x9e3779b9u, key.y + 0xbb67ae85u};
  }
  return c;
}

/// Adds to a number of 128 bits, or to its upper half.
NBODY_ALWAYS_INLINE void addTo(uint4& counter, unsigned long long count, bool toUpper) {
  unsigned long long low = counter.x | static_cast<unsigned long long>(counter.y) << 32;
  unsigned long long high = counter.z | static_cast<unsigned long long>(counter.w) << 32;
  if (!toUpper) low += count;
  high += toUpper ? count : low < count;
  counter = {static_cast<unsigned>(low),
             static_cast<unsigned>(low >> 32),
             static_cast<unsigned>(high),
             static_cast<unsigned>(high >> 32)};
}

}  // namespace nbody::executor

using curandStateXORWOW_t = nbody::executor::RandomState<0>;
using curandStateMRG32k3a_t = nbody::executor::RandomState<1>;
using curandStatePhilox4_32_10_t = nbody::executor::RandomState<2>;
using curandStateXORWOW = curandStateXORWOW_t;
using curandStateMRG32k3a = curandStateMRG32k3a_t;
using curandStatePhilox4_32_10 = curandStatePhilox4_32_10_t;
using curandState_t = curandStateXORWOW_t;
using curandState = curandStateXORWOW_t;

template <int kKind>
NBODY_ALWAYS_INLINE void skipahead(unsigned long long count,
                                   nbody::executor::RandomState<kKind>* state) {
  const unsigned next = state->next + static_cast<unsigned>(count % 4);
  nbody::executor::addTo(state->counter, count / 4 + next / 4, false);
  state->next = next % 4;
  state->drawn = nbody::executor::philox(state->counter, state->key);
}
template <int kKind>
NBODY_ALWAYS_INLINE void skipahead_sequence(unsigned long long count,
                                            nbody::executor::RandomState<kKind>* state) {
  nbody::executor::addTo(state->counter, count, true);
  state->drawn = nbody::executor::philox(state->counter, state->key);
}
template <int kKind>
NBODY_ALWAYS_INLINE void curand_init(unsigned long long seed,
                                     unsigned long long sequence,
                                     unsigned long long offset,
                                     nbody::executor::RandomState<kKind>* state) {
  *state = {};
  state->key = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
}

template <int kKind>
NBODY_ALWAYS_INLINE unsigned curand(nbody::executor::RandomState<kKind>* state) {
  const uint4 d = state->drawn;
  const unsigned values[] = {d.x, d.y, d.z, d.w}, value = values[state->next % 4];
  skipahead(1, state);
  return value;
}
template <int kKind>
NBODY_ALWAYS_INLINE uint4 curand4(nbody::executor::RandomState<kKind>* state) {
  const unsigned a = curand(state), b = curand(state), c = curand(state), d = curand(state);
  return {a, b, c, d};
}

#include "curand_distributions.h"
