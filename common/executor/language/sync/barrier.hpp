/// \file
/// cuda::barrier for the threads of a block, and copies that it waits for.
///
/// For the checker the end of a phase orders all threads of the block, like __syncthreads(), so it
/// may miss a race between a thread that takes part and one that does not.
#pragma once

#include <cstddef>
#include <cstdint>

#include "executor/language/atomics.hpp"
#include "executor/language/groups/collectives.hpp"
#include "executor/language/sync/standard.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {

/// A barrier's state in 8 bytes, like CUDA's: how many arrivals are missing in this phase, how many
/// each phase expects, and the number of completed phases.
struct BarrierState {
  static constexpr std::uint64_t kCount = (1 << 20) - 1;
  unsigned long long word;

  static unsigned long long of(std::uint64_t pending, std::uint64_t expected, std::uint64_t phase) {
    return pending | expected << 20 | phase << 40;
  }
  static std::uint64_t phaseOf(unsigned long long word) { return word >> 40; }

  /// Counts \p count arrivals. \p leaving of them leave for good. Returns the old state.
  template <class Completion>
  NBODY_ALWAYS_INLINE std::uint64_t arrive(std::uint64_t count, std::uint64_t leaving,
                                           const Completion& completion);
};

/// Ends the phase of \p state: everything before it is ordered before everything after it.
void endPhase(const BarrierState& state);
/// Waits until the phase of number \p phase, modulo 2^bits, has ended.
void waitForPhase(Site site, const BarrierState& state, std::uint64_t phase, int bits);

template <class Completion>
NBODY_ALWAYS_INLINE std::uint64_t BarrierState::arrive(std::uint64_t count, std::uint64_t leaving,
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

namespace cuda {

namespace nbody_detail {
struct NoCompletion {
  void operator()() const {}
};
}  // namespace nbody_detail

template <thread_scope Scope = thread_scope_system, class Completion = nbody_detail::NoCompletion>
class barrier {
 public:
  /// The phase in which a thread has arrived.
  class arrival_token {
   public:
    arrival_token() = default;

   private:
    friend class barrier;
    explicit arrival_token(std::uint64_t phase) : phase_(phase) {}
    std::uint64_t phase_ = 0;
  };

  barrier() = default;  // trivial, because shared memory needs that; init() follows
  explicit barrier(std::ptrdiff_t expected, Completion completion = {}) {
    start(this, expected, completion);
  }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  NBODY_ALWAYS_INLINE friend void init(barrier* b, std::ptrdiff_t expected,
                                       Completion completion = {}) {
    start(b, expected, completion);
  }

  NBODY_ALWAYS_INLINE arrival_token arrive(std::ptrdiff_t count = 1) {
    return arrival_token(phaseOf(state_.arrive(static_cast<std::uint64_t>(count), 0, completion_)));
  }
  void wait(arrival_token&& token, NBODY_SITE) const {
    waitForPhase({"wait() of a cuda::barrier", file, line}, state_, token.phase_, 24);
  }
  NBODY_ALWAYS_INLINE void arrive_and_wait(NBODY_SITE) {
    const auto token = arrive();
    waitForPhase({"arrive_and_wait() of a cuda::barrier", file, line}, state_, token.phase_, 24);
  }
  NBODY_ALWAYS_INLINE void arrive_and_drop() { state_.arrive(1, 1, completion_); }
  /// Waits for the end of the phase whose number is even (false) or odd (true).
  void wait_parity(bool odd, NBODY_SITE) const {
    waitForPhase({"wait_parity() of a cuda::barrier", file, line}, state_, odd, 1);
  }
  static constexpr std::ptrdiff_t max() { return nbody::executor::BarrierState::kCount; }

 private:
  static std::uint64_t phaseOf(unsigned long long word) {
    return nbody::executor::BarrierState::phaseOf(word);
  }
  NBODY_ALWAYS_INLINE static void start(barrier* b, std::ptrdiff_t expected,
                                        Completion completion) {
    const auto count = static_cast<std::uint64_t>(expected);
    b->state_.word = nbody::executor::BarrierState::of(count, count, 0);
    b->completion_ = completion;
  }

  nbody::executor::BarrierState state_;
  [[no_unique_address]] Completion completion_;
};

// Copies happen at once. The end of the barrier's phase makes them visible.
template <class T, class Size, thread_scope Scope, class Completion>
NBODY_ALWAYS_INLINE void memcpy_async(T* to, const T* from, const Size& bytes,
                                      barrier<Scope, Completion>& b) {
  nbody::executor::copyAlone(to, from, static_cast<::std::size_t>(bytes), &b);
}
template <class Group, class T, class Size, thread_scope Scope, class Completion>
NBODY_ALWAYS_INLINE void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes,
                                      barrier<Scope, Completion>& b) {
  nbody::executor::copyShare(group, to, from, static_cast<::std::size_t>(bytes), &b);
}

}  // namespace cuda
