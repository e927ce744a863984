// The host baselines `serial` and `simd`: compiled once for each.
#include "driver/host_simulation.hpp"
#include "physics/baselines.hpp"

namespace nbody {

namespace {

std::unique_ptr<Simulation> makeBaseline(int count, double softening, const StepOptions&) {
  return makeHostSimulation(count, softening, NBODY_BASELINE_FORCES);
}

[[maybe_unused]] const bool kLinked =
    link({NBODY_BASELINE_NAME, false, false, true, std::make_unique<NoOptions>, makeBaseline});

}  // namespace

}  // namespace nbody
