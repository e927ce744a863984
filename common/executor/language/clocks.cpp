#include "executor/language/clocks.hpp"

#include <chrono>

namespace nbody::executor {

double clockTicksPerNanosecond = 1;

unsigned long long globalTimer() {
  using namespace std::chrono;
  const auto now = steady_clock::now().time_since_epoch();
  return static_cast<unsigned long long>(duration_cast<nanoseconds>(now).count());
}

clock_t deviceOrHostClock() { return currentThread.inKernel ? clock64() : ::clock(); }

}  // namespace nbody::executor

/// A kernel that reads the clock may be waiting for another thread: that one gets its turn.
long long clock64() {
  using namespace nbody::executor;
  countAtomic();
  return static_cast<long long>(static_cast<double>(globalTimer()) * clockTicksPerNanosecond);
}
