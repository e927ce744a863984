/// \file
/// cuRAND's random numbers in kernels: the generators Philox4x32-10 (Salmon et al. 2011) and XORWOW
/// (Marsaglia 2003), and their distributions.
///
/// Philox gives cuRAND's numbers. XORWOW begins with other numbers than cuRAND's for a seed, because
/// its author does not say how to begin. Its subsequences are 2^67 numbers apart, like cuRAND's.
#pragma once

#include "executor/language/always_inline.hpp"
#include "executor/language/math.hpp"
#include "executor/language/vector_types.hpp"

namespace nbody::executor {

/// State of XORWOW, a sum of a Weyl sequence and of a shift register.
struct XorwowState {
  unsigned x[5], weyl;
};
/// Advances it by \p steps numbers, or by \p sequences times 2^67 numbers.
void skipXorwow(XorwowState& state, unsigned long long steps, unsigned long long sequences);
XorwowState startXorwow(unsigned long long seed);
/// Computes Philox's four numbers of a counter.
void philox(const unsigned (&counter)[4], const unsigned (&key)[2], unsigned (&numbers)[4]);

/// Returns a number of a Poisson distribution, from numbers that \p next() draws from (0, 1].
template <class Next>
NBODY_ALWAYS_INLINE unsigned poissonNumber(double mean, const Next& next) {
  unsigned count = 0;
  for (double left = mean; left > 0; left -= 256) {  // sums of parts, so that exp() is not 0
    const double end = exp(left > 256 ? -256.0 : -left);
    for (double product = next(); product > end; product *= next()) ++count;
  }
  return count;
}

}  // namespace nbody::executor

struct curandStateXORWOW {
  nbody::executor::XorwowState state;
  int hasNormal;
  float normal;  ///< second number of a pair of a normal distribution
};
struct curandStatePhilox4_32_10 {
  unsigned counter[4], key[2], numbers[4];
  unsigned used;  ///< of the four numbers
  int hasNormal;
  float normal;
};
using curandStateXORWOW_t = curandStateXORWOW;
using curandState = curandStateXORWOW;
using curandState_t = curandStateXORWOW;
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;

NBODY_ALWAYS_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                                     unsigned long long offset, curandStateXORWOW* state) {
  nbody::executor::XorwowState start = nbody::executor::startXorwow(seed);
  nbody::executor::skipXorwow(start, offset, subsequence);
  *state = {start, 0, 0};
}
NBODY_ALWAYS_INLINE void skipahead(unsigned long long n, curandStateXORWOW* state) {
  nbody::executor::XorwowState moved = state->state;
  nbody::executor::skipXorwow(moved, n, 0);
  state->state = moved;
}
NBODY_ALWAYS_INLINE void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) {
  nbody::executor::XorwowState moved = state->state;
  nbody::executor::skipXorwow(moved, 0, n);
  state->state = moved;
}
NBODY_ALWAYS_INLINE unsigned curand(curandStateXORWOW* state) {
  auto& [x, weyl] = state->state;
  const unsigned t = x[0] ^ x[0] >> 2;
  for (int i = 0; i < 4; ++i) x[i] = x[i + 1];
  x[4] = (x[4] ^ x[4] << 4) ^ (t ^ t << 1);
  return x[4] + (weyl += 362437);
}

/// Adds \p n to the counter's words from \p word on.
NBODY_ALWAYS_INLINE void nbodyCount(curandStatePhilox4_32_10* state, unsigned long long n,
                                    int word = 0) {
  for (; word < 4 && n != 0; ++word) {
    const unsigned long long sum = state->counter[word] + (n & 0xffffffff);
    state->counter[word] = static_cast<unsigned>(sum);
    n = (n >> 32) + (sum >> 32);
  }
}
NBODY_ALWAYS_INLINE void nbodyDraw(curandStatePhilox4_32_10* state) {
  unsigned counter[4], numbers[4];
  for (int i = 0; i < 4; ++i) counter[i] = state->counter[i];
  const unsigned key[2] = {state->key[0], state->key[1]};
  nbody::executor::philox(counter, key, numbers);
  for (int i = 0; i < 4; ++i) state->numbers[i] = numbers[i];
}
NBODY_ALWAYS_INLINE void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
  state->used += static_cast<unsigned>(n & 3);
  nbodyCount(state, n / 4 + state->used / 4);
  state->used %= 4;
  nbodyDraw(state);
}
NBODY_ALWAYS_INLINE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
  nbodyCount(state, n, 2);
  nbodyDraw(state);
}
NBODY_ALWAYS_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                                     unsigned long long offset, curandStatePhilox4_32_10* state) {
  *state = {{}, {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)}, {}, 0, 0, 0};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}
NBODY_ALWAYS_INLINE unsigned curand(curandStatePhilox4_32_10* state) {
  const unsigned number = state->numbers[state->used++];
  if (state->used == 4) {
    nbodyCount(state, 1);
    nbodyDraw(state);
    state->used = 0;
  }
  return number;
}
NBODY_ALWAYS_INLINE uint4 curand4(curandStatePhilox4_32_10* state) {
  const unsigned a = curand(state), b = curand(state), c = curand(state), d = curand(state);
  return {a, b, c, d};
}

// Distributions. A uniform number is in (0, 1].

NBODY_ALWAYS_INLINE float nbodyUniform(unsigned x) { return float(x) * 0x1p-32f + 0x1p-33f; }
NBODY_ALWAYS_INLINE double nbodyUniform(unsigned x, unsigned y) {
  return double(x ^ static_cast<unsigned long long>(y) << 21) * 0x1p-53 + 0x1p-54;
}
/// Makes two numbers of a normal distribution from two uniform ones (Box and Muller 1958).
NBODY_ALWAYS_INLINE float2 nbodyNormal(unsigned x, unsigned y) {
  const float length = sqrtf(-2 * logf(nbodyUniform(x)));
  const float angle = (float(y) * 0x1p-32f + 0x1p-33f) * 6.2831855f;
  return {length * sinf(angle), length * cosf(angle)};
}

#define NBODY_DISTRIBUTIONS(State)                                                               \
  NBODY_ALWAYS_INLINE float curand_uniform(State* state) { return nbodyUniform(curand(state)); } \
  NBODY_ALWAYS_INLINE double curand_uniform_double(State* state) {                               \
    const unsigned x = curand(state);                                                            \
    return nbodyUniform(x, curand(state));                                                       \
  }                                                                                              \
  NBODY_ALWAYS_INLINE float2 curand_normal2(State* state) {                                      \
    const unsigned x = curand(state);                                                            \
    return nbodyNormal(x, curand(state));                                                        \
  }                                                                                              \
  NBODY_ALWAYS_INLINE float curand_normal(State* state) {                                        \
    if (state->hasNormal != 0) {                                                                 \
      state->hasNormal = 0;                                                                      \
      return state->normal;                                                                      \
    }                                                                                            \
    const float2 pair = curand_normal2(state);                                                   \
    state->hasNormal = 1;                                                                        \
    state->normal = pair.y;                                                                      \
    return pair.x;                                                                               \
  }                                                                                              \
  NBODY_ALWAYS_INLINE double2 curand_normal2_double(State* state) {                              \
    const double length = sqrt(-2 * log(curand_uniform_double(state)));                          \
    const double angle = 2 * curand_uniform_double(state);                                       \
    return {length * sinpi(angle), length * cospi(angle)};                                       \
  }                                                                                              \
  NBODY_ALWAYS_INLINE double curand_normal_double(State* state) {                                \
    return curand_normal2_double(state).x;                                                       \
  }                                                                                              \
  NBODY_ALWAYS_INLINE float curand_log_normal(State* state, float mean, float deviation) {       \
    return expf(mean + deviation * curand_normal(state));                                        \
  }                                                                                              \
  NBODY_ALWAYS_INLINE double curand_log_normal_double(State* state, double mean,                 \
                                                      double deviation) {                        \
    return exp(mean + deviation * curand_normal_double(state));                                  \
  }                                                                                              \
  NBODY_ALWAYS_INLINE unsigned curand_poisson(State* state, double mean) {                       \
    return nbody::executor::poissonNumber(mean, [=] { return curand_uniform_double(state); });   \
  }
NBODY_DISTRIBUTIONS(curandStateXORWOW)
NBODY_DISTRIBUTIONS(curandStatePhilox4_32_10)
#undef NBODY_DISTRIBUTIONS

NBODY_ALWAYS_INLINE float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return {nbodyUniform(x.x), nbodyUniform(x.y), nbodyUniform(x.z), nbodyUniform(x.w)};
}
NBODY_ALWAYS_INLINE double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return {nbodyUniform(x.x, x.y), nbodyUniform(x.z, x.w)};
}
NBODY_ALWAYS_INLINE float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  const float2 one = nbodyNormal(x.x, x.y), other = nbodyNormal(x.z, x.w);
  return {one.x, one.y, other.x, other.y};
}
