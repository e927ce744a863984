#include "diagnose/targets.hpp"

#include <algorithm>

namespace nbody {

Targets::Targets(const WrongForces& forces, const std::vector<int>& places, std::size_t most) {
  const std::size_t n = std::min(most, places.size());
  for (std::size_t k = 0; k < n; ++k) {
    const int place = places[k * places.size() / n];
    bodies.push_back(forces.sample[place]);
    computed.push_back(forces.computed[place]);
    reference.push_back(forces.reference[place]);
  }
}

bool matches(const Targets& targets, const std::vector<Double4>& predicted, double tolerance) {
  for (std::size_t k = 0; k < targets.size(); ++k)
    if (!(distance(targets.computed[k], predicted[k]) <= 2 * tolerance * predicted[k].w))
      return false;
  return true;
}

bool explains(const Targets& targets, const std::vector<Double4>& predicted, double tolerance) {
  double most = 0;
  for (std::size_t k = 0; k < targets.size(); ++k)
    most = std::max(most, distance(targets.reference[k], predicted[k]) / targets.reference[k].w);
  return most > 10 * tolerance && matches(targets, predicted, tolerance);
}

}  // namespace nbody
