#include "diagnose/force_laws.hpp"
#include "diagnose/targets.hpp"

namespace nbody {

std::string centreOfMassMistake(const WrongForces& forces, const Targets& targets) {
  Double4 whole = {0, 0, 0, 0};
  for (const Double4& body : forces.bodies.positions)
    whole = {whole.x + body.w * body.x,
             whole.y + body.w * body.y,
             whole.z + body.w * body.z,
             whole.w + body.w};
  whole = {whole.x / whole.w, whole.y / whole.w, whole.z / whole.w, whole.w};
  const ForceLaw law = {.softeningSquared = forces.softening * forces.softening};
  std::vector<Double4> alone, besides;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const Double4& body = forces.bodies.positions[targets.bodies[k]];
    const Double4 p = pullBy(law, body, whole);
    alone.push_back(p);
    besides.push_back(plus(targets.reference[k], p));
  }
  if (explains(targets, alone, forces.tolerance))
    return "each body is pulled as if all were one at their centre of mass: are cells opened that "
           "are far, and near ones not?";
  if (explains(targets, besides, forces.tolerance))
    return "each body is pulled by all as one at their centre of mass too: is a cell counted as a "
           "whole and by its bodies?";
  return "";
}

}  // namespace nbody
