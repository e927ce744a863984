// The host baselines `serial` and `simd`: compiled once for each.
#include "driver/host_simulation.hpp"
#include "physics/baselines.hpp"

namespace nbody {

namespace {

std::unique_ptr<StepOptions> makeNoOptions() { return std::make_unique<NoOptions>(); }

std::unique_ptr<Simulation> makeBaseline(int count, double softening, const StepOptions&) {
  return makeHostSimulation(count, softening, NBODY_BASELINE_FORCES);
}

[[maybe_unused]] const bool kLinked =
    (linkedMethods().push_back(
         {{NBODY_BASELINE_NAME, false, false}, true, makeNoOptions, makeBaseline}),
     true);

}  // namespace

}  // namespace nbody
