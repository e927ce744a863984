#include "measure/phase_times.hpp"

#include "cuda/device_array.hpp"
#include "measure/timing.hpp"

namespace nbody {

void PhaseClock::restart() {
  if (!running_) return;
  if (onDevice_) synchronizeDevice();
  last_ = nowMs();
}

void PhaseClock::end(const char* name) {
  if (!running_) return;
  if (onDevice_) synchronizeDevice();
  const double now = nowMs();
  const double ms = now - last_;
  last_ = now;
  for (Metric& part : ms_)
    if (part.name == name) return void(part.value += ms);
  ms_.push_back({name, ms});
}

}  // namespace nbody
