/// \file
/// cuda::latch and cuda::counting_semaphore. All threads of a grid may use one.
#pragma once

#include <climits>
#include <cstddef>

#include "executor/language/sync/standard.hpp"

namespace cuda {

/// A number that threads count down; others wait until it is 0.
template <thread_scope Scope>
class latch {
 public:
  constexpr latch(std::ptrdiff_t expected) : counter_(expected) {}

  NBODY_ALWAYS_INLINE void count_down(std::ptrdiff_t count = 1) {
    counter_.fetch_sub(count, memory_order_release);
  }
  NBODY_ALWAYS_INLINE bool try_wait() const { return counter_.load(memory_order_acquire) == 0; }
  NBODY_ALWAYS_INLINE void wait() const {
    while (!try_wait()) nbody::executor::yieldThread();
  }
  NBODY_ALWAYS_INLINE void arrive_and_wait(std::ptrdiff_t count = 1) {
    count_down(count);
    wait();
  }
  static constexpr std::ptrdiff_t max() { return PTRDIFF_MAX; }

 private:
  atomic<std::ptrdiff_t, Scope> counter_;
};

/// A number of permits; a thread waits for one.
template <thread_scope Scope, std::ptrdiff_t Most = INT_MAX>
class counting_semaphore {
 public:
  constexpr counting_semaphore(std::ptrdiff_t permits = 0) : permits_(permits) {}

  NBODY_ALWAYS_INLINE void release(std::ptrdiff_t count = 1) {
    permits_.fetch_add(count, memory_order_release);
  }
  NBODY_ALWAYS_INLINE bool try_acquire() {
    std::ptrdiff_t permits = permits_.load(memory_order_acquire);
    while (permits != 0)
      if (permits_.compare_exchange_weak(permits, permits - 1, memory_order_acquire)) return true;
    return false;
  }
  NBODY_ALWAYS_INLINE void acquire() {
    while (!try_acquire()) nbody::executor::yieldThread();
  }
  static constexpr std::ptrdiff_t max() { return Most; }

 private:
  atomic<std::ptrdiff_t, Scope> permits_;
};
template <thread_scope Scope>
using binary_semaphore = counting_semaphore<Scope, 1>;

namespace std {
using latch = ::cuda::latch<thread_scope_system>;
template <::std::ptrdiff_t Most = INT_MAX>
using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, Most>;
using binary_semaphore = ::cuda::binary_semaphore<thread_scope_system>;
}  // namespace std

}  // namespace cuda
