#include "diagnose/force_laws.hpp"

#include <cmath>

#include "base/parallel.hpp"
#include "bodies/vectors.hpp"

namespace nbody {

using Mass = ForceLaw::Mass;

std::vector<ForceLaw> mistakenLaws(double softening) {
  const double squared = softening * softening;
  // Likely laws first: a small softening that is left out looks like one that is squared twice.
  std::vector<ForceLaw> laws = {
      {.softeningSquared = 0, .symptom = "the softening is left out"},
      {.softeningSquared = squared * squared, .symptom = "the softening is squared twice"},
      {.softeningSquared = softening, .symptom = "the softening is not squared"},
      {.softeningSquared = 2 * squared, .symptom = "the softening is added twice"},
  };
  const auto add = [&](ForceLaw law) {
    law.softeningSquared = squared;
    laws.push_back(law);
  };
  add({.mass = Mass::target, .symptom = "the mass of i is used instead of the mass of j"});
  add({.mass = Mass::both,
       .symptom = "the pull is also multiplied by the mass of i: the kernel computes forces, not "
                  "accelerations"});
  add({.mass = Mass::none, .symptom = "the mass of j is left out"});
  add({.mass = Mass::squared, .symptom = "the mass of j is squared"});
  add({.mass = Mass::target,
       .sign = -1,
       .symptom =
           "i and j are swapped, so that the pull has the mass of i and r points from j to i"});
  add({.mass = Mass::sum, .symptom = "the mass of i is added to the mass of j"});
  add({.mass = Mass::root, .symptom = "the square root of the mass of j is used"});
  add({.mass = Mass::inverse, .symptom = "the pull is divided by the mass of j"});
  add({.own = 0, .symptom = "the position of i is left out, so that r is the position of j"});
  add({.own = -1, .symptom = "r is the sum of the two positions"});
  add({.isAbsolute = true,
       .symptom =
           "the components of r lose their signs, so that each pull is towards larger x, y and z"});
  for (double once : {0., 1.})
    laws.push_back({.softeningSquared = once * squared,
                    .shift = softening,
                    .symptom = "the softening is added to each component of r"});
  for (int power : {1, 2, 4, 5, 6})
    add({.power = power,
         .symptom = "each pull is m r / d^" + std::to_string(power) + " instead of m r / d^3"});
  for (int missing = 0; missing < 3; ++missing)
    for (int doubled = 0; doubled < 3; ++doubled) {
      add({.symptom = std::string(1, "xyz"[missing]) + " is missing from the distance"});
      double* weights = laws.back().weights;
      weights[missing] = 0;
      if (doubled == missing) continue;
      weights[doubled] = 2;
      laws.back().symptom += std::string(" and ") + "xyz"[doubled] + " is counted 2 times";
    }
  return laws;
}

Double4 pullBy(const ForceLaw& law, const Double4& bodyI, const Double4& bodyJ) {
  double x = bodyJ.x - law.own * bodyI.x + law.shift, y = bodyJ.y - law.own * bodyI.y + law.shift,
         z = bodyJ.z - law.own * bodyI.z + law.shift;
  if (law.isAbsolute) x = std::abs(x), y = std::abs(y), z = std::abs(z);
  const double squared = law.softeningSquared + law.weights[0] * x * x + law.weights[1] * y * y +
                         law.weights[2] * z * z;
  if (squared == 0) return {0, 0, 0, 0};  // a body's pull on itself, without softening
  const double inverse = 1 / std::sqrt(squared);
  double s = law.sign;
  if (law.mass == Mass::sum) s *= bodyI.w + bodyJ.w;
  else if (law.mass == Mass::root) s *= std::sqrt(bodyJ.w);
  else if (law.mass == Mass::inverse) s /= bodyJ.w;
  else if (law.mass != Mass::target && law.mass != Mass::none) s *= bodyJ.w;
  if (law.mass == Mass::squared) s *= bodyJ.w;
  if (law.mass == Mass::target || law.mass == Mass::both) s *= bodyI.w;
  for (int k = 0; k < law.power; ++k) s *= inverse;
  return {s * x, s * y, s * z, std::abs(s) * std::sqrt(x * x + y * y + z * z)};
}

std::vector<Double4> accelerationsBy(const ForceLaw& law, const Bodies& bodies,
                                     const std::vector<int>& targets, const Bodies* sources) {
  std::vector<Double4> accelerations(targets.size());
  parallelForEach(static_cast<int>(targets.size()), 1, [&](int k) {
    Double4 sum = {0, 0, 0, 0};
    for (const Double4& source : (sources != nullptr ? *sources : bodies).positions)
      sum = plus(sum, pullBy(law, bodies.positions[targets[k]], source));
    accelerations[k] = sum;
  });
  return accelerations;
}

}  // namespace nbody
