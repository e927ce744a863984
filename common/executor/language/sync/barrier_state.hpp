/// \file
/// The state of a cuda::barrier, and waits for its phases.
///
/// For the checker the end of a phase orders all threads of the block, as __syncthreads() does: a
/// race between one that takes part and one that does not may stay unfound.
#pragma once

#include <cstdint>

#include "executor/language/atomics.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {

/// A barrier's state in the 8 bytes that CUDA's has: how many are still to arrive in this phase, how
/// many each phase expects, and the number of phases that have ended.
struct BarrierState {
  static constexpr std::uint64_t kCount = (1 << 20) - 1;
  unsigned long long word;

  static unsigned long long of(std::uint64_t pending, std::uint64_t expected, std::uint64_t phase) {
    return pending | expected << 20 | phase << 40;
  }
  static std::uint64_t phaseOf(unsigned long long word) { return word >> 40; }

  /// \p count arrivals, of which \p leaving leave for good; returns the state before.
  template <class Completion>
  NBODY_ALWAYS_INLINE std::uint64_t arrive(std::uint64_t count,
                                           std::uint64_t leaving,
                                           const Completion& completion);
};

/// The phase of \p state has ended: what came before it is ordered before what comes after.
void endPhase(const BarrierState& state);
/// Waits until the phase of number \p phase, modulo 2^bits, has ended.
void waitForPhase(Site site, const BarrierState& state, std::uint64_t phase, int bits);
/// The running thread has seen that the phase has ended.
void passPhase(const BarrierState& state);
bool hasEnded(const BarrierState& state, std::uint64_t phase, int bits);

template <class Completion>
NBODY_ALWAYS_INLINE std::uint64_t BarrierState::arrive(std::uint64_t count,
                                                       std::uint64_t leaving,
                                                       const Completion& completion) {
  bool last = false;
  const auto before = atomicUpdate(&word, [&](unsigned long long old) {
    const std::uint64_t pending = (old & kCount) - count, expected = (old >> 20 & kCount) - leaving;
    last = pending == 0;
    return last ? of(0, expected, phaseOf(old)) : of(pending, expected, phaseOf(old));
  });
  if (last) {
    completion();
    atomicUpdate(&word, [](unsigned long long old) {
      const std::uint64_t expected = old >> 20 & kCount;
      return of(expected, expected, phaseOf(old) + 1);
    });
    endPhase(*this);
  }
  return before;
}

}  // namespace nbody::executor
