#include "grader/judge/own_work.hpp"

#include <algorithm>
#include <limits>

#ifndef NBODY_GPU
#include "executor/checker/origin.hpp"
#endif
#include "base/text.hpp"

namespace nbody {

#ifdef NBODY_GPU

void OwnWork::begin(std::size_t count, bool) { count_ = count; }
bool OwnWork::seemsSerial() const { return false; }
std::string OwnWork::complaint(const DeviceArray<real4>&) const { return ""; }

#else

namespace checker = executor::checker;

namespace {

// Fewer bodies are summed up so fast that what comes with a first launch is most of the work.
constexpr std::size_t kFewest = 500;
// Threads that share the work alike. The steps have more than 60 for kFewest bodies.
constexpr double kLeastThreads = 8;
// Of 16: a counter, or a flag for each block, is read without a word.
constexpr std::size_t kBytesOfBody = 4;

}  // namespace

void OwnWork::begin(std::size_t count, bool exact) {
  count_ = count;
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  checker::allowHostToRead(hostWork_ || count < 16 ? kAll : kBytesOfBody * count);
  checker::beginWork(exact);
}

bool OwnWork::seemsSerial() const {
  const checker::Work work = checker::workDone();
  return count_ >= kFewest &&
         static_cast<double>(work.all) < kLeastThreads * static_cast<double>(work.longest);
}

std::string OwnWork::complaint(const DeviceArray<real4>& accelerations) const {
  if (count_ < 2) return "";  // one body alone feels nothing: there is no work
  checker::Writers sum;
  for (int axis = 0; axis < 3; ++axis) {
    const real* first = reinterpret_cast<const real*>(accelerations.data()) + axis;
    const checker::Writers one = checker::writersOf(first, count_, sizeof(real4));
    sum.host = std::max(sum.host, one.host);
    sum.kernelsAfterHost = std::max(sum.kernelsAfterHost, one.kernelsAfterHost);
  }
  if (sum.host > 0)
    return formatted(
        "%sthe host wrote %zu of the %zu accelerations with a copy or a fill; a kernel must "
        "compute them",
        kNotOwnWork,
        sum.host,
        count_);
  if (sum.kernelsAfterHost > 0)
    return kNotOwnWork + std::string(
                             "the host read the bodies before a kernel wrote the accelerations; "
                             "kernels must compute them");
  if (seemsSerial())
    return formatted(
        "%sone thread does %.0f%% of the work. Share the sum over all bodies among the threads.",
        kNotParallel,
        100.0 * static_cast<double>(checker::workDone().longest) /
            static_cast<double>(checker::workDone().all));
  return "";
}

#endif

}  // namespace nbody
