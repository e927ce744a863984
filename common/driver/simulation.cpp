#include "driver/simulation.hpp"

#include <utility>

namespace nbody {

std::function<std::vector<Double4>()> Simulation::bring(Quantity quantity,
                                                        const std::vector<int>& chosen) const {
  std::vector<Double4> all;
  if (quantity == Quantity::acceleration) {
    all = accelerations();
  } else {
    Bodies bodies = download();
    all = std::move(quantity == Quantity::position ? bodies.positions : bodies.velocities);
  }
  std::vector<Double4> found;
  found.reserve(chosen.size());
  for (int i : chosen) found.push_back(all[i]);
  return [found = std::move(found)] { return found; };
}

std::vector<LinkedMethod>& linkedMethods() {
  static std::vector<LinkedMethod> methods;
  return methods;
}

std::optional<PhaseTimes> measurePhases(Simulation& simulation, int repeats, bool timed) {
  std::vector<PhaseTimes> runs;
  for (int i = 0; i < (timed ? repeats : 1); ++i) {
    auto parts = simulation.computeForcesInPhases();
    if (!parts) return std::nullopt;
    runs.push_back(*parts);
  }
  PhaseTimes result = runs.back();
  if (!timed) result.ms.clear();
  for (std::size_t k = 0; k < result.ms.size(); ++k) {
    std::vector<double> samples;
    for (const PhaseTimes& parts : runs) samples.push_back(parts.ms[k].value);
    result.ms[k].value = summarize(samples).median;
  }
  return result;
}

}  // namespace nbody
