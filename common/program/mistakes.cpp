#include "program/mistakes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <set>

#include "program/force_laws.hpp"
#include "program/ranges.hpp"
#include "program/source_counts.hpp"

namespace nbody {

namespace {

constexpr std::size_t kFewest = 8;  // bodies; with fewer, several mistakes give the same forces

double distance(const Double4& a, const Double4& b) {
  const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return std::sqrt(x * x + y * y + z * z);
}

/// Some bodies of the sample, with their forces.
struct Targets {
  std::vector<int> bodies;
  std::vector<Double4> computed;
  std::vector<Double4> reference;

  /// At most \p most of those at \p places, evenly spread.
  Targets(const WrongForces& forces, const std::vector<int>& places, std::size_t most) {
    const std::size_t n = std::min(most, places.size());
    for (std::size_t k = 0; k < n; ++k) {
      const int place = places[k * places.size() / n];
      bodies.push_back(forces.sample[place]);
      computed.push_back(forces.computed[place]);
      reference.push_back(forces.reference[place]);
    }
  }
  std::size_t size() const { return bodies.size(); }
};

/// Whether the computed forces are \p predicted, in whose w are the sums of the terms' lengths.
bool matches(const Targets& targets, const std::vector<Double4>& predicted, double tolerance) {
  for (std::size_t k = 0; k < targets.size(); ++k)
    if (!(distance(targets.computed[k], predicted[k]) <= 2 * tolerance * predicted[k].w))
      return false;
  return true;
}

/// Whether they are, and \p predicted is another force than the right one, by much more than
/// rounding.
bool explains(const Targets& targets, const std::vector<Double4>& predicted, double tolerance) {
  double most = 0;
  for (std::size_t k = 0; k < targets.size(); ++k)
    most = std::max(most, distance(targets.reference[k], predicted[k]) / targets.reference[k].w);
  return most > 10 * tolerance && matches(targets, predicted, tolerance);
}

std::string factorWords(double factor, double tolerance) {
  if (factor == 0) return "zero";
  if (std::abs(factor + 1) <= 10 * tolerance) return "mirrored: sign?";
  char text[64];
  std::snprintf(text, sizeof text, "off by a constant factor %.3g", factor);
  return text;
}

/// The right forces times a number, or times one in each component.
std::string factorMistake(const WrongForces& forces, const Targets& targets) {
  double factors[3], products[3] = {}, squares[3] = {};
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const Double4 &a = targets.computed[k], &r = targets.reference[k];
    const double ar[3] = {a.x * r.x, a.y * r.y, a.z * r.z};
    const double rr[3] = {r.x * r.x, r.y * r.y, r.z * r.z};
    for (int axis = 0; axis < 3; ++axis) products[axis] += ar[axis], squares[axis] += rr[axis];
  }
  auto explained = [&] {
    std::vector<Double4> predicted;
    const double most = std::abs(*std::max_element(
        factors, factors + 3, [](double a, double b) { return std::abs(a) < std::abs(b); }));
    for (const Double4& r : targets.reference)
      predicted.push_back({factors[0] * r.x, factors[1] * r.y, factors[2] * r.z, most * r.w});
    return explains(targets, predicted, forces.tolerance);
  };
  std::fill_n(factors,
              3,
              (products[0] + products[1] + products[2]) / (squares[0] + squares[1] + squares[2]));
  if (explained()) return "forces are " + factorWords(factors[0], forces.tolerance);
  if (targets.size() < kFewest) return "";
  for (int axis = 0; axis < 3; ++axis) factors[axis] = products[axis] / squares[axis];
  if (!explained()) return "";
  std::string text = "in ";
  for (int axis = 0; axis < 3; ++axis)
    if (std::abs(factors[axis] - 1) > 10 * forces.tolerance)
      text += std::string(text == "in " ? "" : ", in ") + "xyz"[axis] + " forces are " +
              factorWords(factors[axis], forces.tolerance);
  return text;
}

std::string lawMistake(const WrongForces& forces, const Targets& targets, const Targets& few) {
  std::string text;
  for (const ForceLaw& law : mistakenLaws(forces.softening)) {
    auto predicted = [&](const Targets& t) {
      return accelerationsBy(law, forces.bodies, t.bodies);
    };
    // A few bodies refuse nearly every law.
    if (!matches(few, predicted(few), forces.tolerance) ||
        !explains(targets, predicted(targets), forces.tolerance))
      continue;
    text += (text.empty() ? "as if " : ", or ") + law.symptom;
  }
  return text;
}

/// "sources 768 and up are missing: last tile?, sources 0 to 255 are counted 2 times"
std::string countWords(const std::vector<int>& counts) {
  std::vector<int> all(counts.size());
  std::iota(all.begin(), all.end(), 0);
  std::string text;
  for (int number : std::set<int>(counts.begin(), counts.end())) {
    if (number == 1) continue;
    std::vector<int> chosen;
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen), [&](int j) {
      return counts[j] == number;
    });
    if (!text.empty()) text += "; ";
    text += rangesOf(chosen, all, chosen.size() == 1 ? "source" : "sources");
    text += chosen.size() == 1 ? " is " : " are ";
    const bool oneRange = chosen.back() - chosen.front() + 1 == static_cast<int>(chosen.size());
    if (number != 0) text += "counted " + std::to_string(number) + " times";
    else text += oneRange && chosen.back() == all.back() ? "missing: last tile?" : "missing";
  }
  return text;
}

std::string sourceMistake(const WrongForces& forces, const Targets& targets, const Targets& some) {
  for (bool each : {false, true}) {
    const std::vector<int> counts =
        sourceCounts(forces.bodies, forces.softening, some.bodies, some.computed, each);
    if (!counts.empty() &&
        explains(targets,
                 accelerationsFrom(counts, forces.bodies, forces.softening, targets.bodies),
                 forces.tolerance))
      return countWords(counts);
  }
  return "";
}

/// Each body with the force of another one.
std::string placeMistake(const WrongForces& forces, const Targets& targets) {
  std::string text;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    auto isTheForceOf = [&](const Double4& other) {
      return distance(targets.computed[k], other) <= 2 * forces.tolerance * other.w;
    };
    auto other = std::find_if(forces.reference.begin(), forces.reference.end(), isTheForceOf);
    if (other == forces.reference.end()) return "";
    if (forces.sample[other - forces.reference.begin()] == targets.bodies[k]) return "";
    if (k == 0)
      text = "body " + std::to_string(targets.bodies[k]) + " has the force of body " +
             std::to_string(forces.sample[other - forces.reference.begin()]) +
             ", and so on: index of the output?";
  }
  return text;
}

}  // namespace

std::string mistakeIn(const WrongForces& forces, const std::vector<int>& places) {
  constexpr std::size_t kSolved = 1024;  // bodies whose forces a system of equations is made of
  if (forces.sample.size() < kFewest) return "";
  const Targets targets(forces, places, places.size());
  std::string text = factorMistake(forces, targets);
  if (text.empty()) text = lawMistake(forces, targets, Targets(forces, places, kFewest));
  if (text.empty()) text = sourceMistake(forces, targets, Targets(forces, places, kSolved));
  if (text.empty()) text = placeMistake(forces, targets);
  return text;
}

}  // namespace nbody
