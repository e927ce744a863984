#include <cmath>

#include "diagnose/force_laws.hpp"
#include "diagnose/targets.hpp"

namespace nbody {

/// How many sources at the origin, the usual padding of a tile, add to forces by a law without m_j;
/// they are added to \p predicted.
static int addPadding(const ForceLaw& law,
                      const WrongForces& forces,
                      const Targets& targets,
                      std::vector<Double4>& predicted) {
  if (law.mass != ForceLaw::Mass::target && law.mass != ForceLaw::Mass::none) return 0;
  std::vector<Double4> pulls;
  double product = 0, square = 0;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const Double4 p = pullBy(law, forces.bodies.positions[targets.bodies[k]], {0, 0, 0, 0});
    const Double4 &a = targets.computed[k], &b = predicted[k];
    product += (a.x - b.x) * p.x + (a.y - b.y) * p.y + (a.z - b.z) * p.z;
    square += p.x * p.x + p.y * p.y + p.z * p.z;
    pulls.push_back(p);
  }
  const double n = std::round(product / square);
  if (!(n >= 1 && n < kLargestTile)) return 0;
  for (std::size_t k = 0; k < targets.size(); ++k)
    predicted[k] = plus(predicted[k], times(n, pulls[k]));
  return static_cast<int>(n);
}

std::string lawMistake(const WrongForces& forces, const Targets& targets, const Targets& few) {
  std::string text;
  for (const ForceLaw& law : mistakenLaws(forces.softening)) {
    int padding = 0;
    auto predicted = [&](const Targets& t) {
      auto accelerations = accelerationsBy(law, forces.bodies, t.bodies);
      padding = addPadding(law, forces, t, accelerations);
      return accelerations;
    };
    // Eight bodies reject most laws cheaply.
    if (!matches(few, predicted(few), forces.tolerance) ||
        !explains(targets, predicted(targets), forces.tolerance))
      continue;
    text += (text.empty() ? "as if " : ", or ") + law.symptom;
    if (padding > 0) text += ", and " + std::to_string(padding) + " sources at the origin pull too";
  }
  return text;
}

}  // namespace nbody
