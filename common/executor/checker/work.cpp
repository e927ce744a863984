// How long each thread of a kernel has run.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "executor/checker/origin.hpp"

namespace nbody::executor::checker {

namespace {

struct BlockWork {
  std::uint64_t began = 0;  ///< of the thread that runs; 0: none does
  int threads = 0;  ///< that have run
  std::uint64_t ticks[1024] = {};
};
constinit thread_local BlockWork block;

bool isExact = false;
std::atomic<std::uint64_t> all = 0, longestOfLaunch = 0;
std::uint64_t longest = 0;

/// The system is asked, and not a library that a program could have a part of its own of.
std::uint64_t cpuTime() {
  timespec time = {};
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000u + time.tv_nsec;
}

std::uint64_t now() {
  if (isExact) return cpuTime();
#ifdef __x86_64__
  return __builtin_ia32_rdtsc();
#else
  return std::chrono::steady_clock::now().time_since_epoch().count();
#endif
}

}  // namespace

void beginWork(bool exact) {
  workIsCounted = true;
  isExact = exact;
  all = longestOfLaunch = longest = 0;
}

Work workDone() { return {all, longest}; }

void startThreadClock() { block.began = now(); }

void stopThreadClock(int thread) {
  if (block.began == 0 || thread < 0 || thread >= 1024) return;
  block.ticks[thread] += now() - block.began;
  block.began = 0;
  block.threads = std::max(block.threads, thread + 1);
}

void endBlockWork() {
  std::uint64_t sum = 0, most = 0;
  for (int t = 0; t < block.threads; ++t) {
    sum += block.ticks[t];
    most = std::max(most, block.ticks[t]);
    block.ticks[t] = 0;
  }
  block.threads = 0;
  all += sum;
  std::uint64_t before = longestOfLaunch;
  while (before < most && !longestOfLaunch.compare_exchange_weak(before, most)) continue;
}

void endLaunchWork() { longest += longestOfLaunch.exchange(0); }

}  // namespace nbody::executor::checker
