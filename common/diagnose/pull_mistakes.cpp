// Mistakes of pulls (sources, all bodies as one, another law) and of numbers (order, precision).
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "base/text.hpp"
#include "diagnose/source_counts.hpp"
#include "diagnose/targets.hpp"

namespace nbody {

namespace {

/// Components that x, y and z hold.
using ComponentOrder = std::array<int, 3>;

Double4 reordered(const Double4& v, const ComponentOrder& order) {
  return {component(v, order[0]), component(v, order[1]), component(v, order[2]), v.w};
}

/// Returns all orders except the correct one.
std::vector<ComponentOrder> wrongOrders() {
  std::vector<ComponentOrder> orders;
  for (int number = 0; number < 27; ++number) {
    const ComponentOrder order = {number / 9, number / 3 % 3, number % 3};
    if (order != ComponentOrder{0, 1, 2}) orders.push_back(order);
  }
  return orders;
}

/// Returns a message: "the x and y components of the forces are swapped", "the z component of each
/// force has the value of the y component".
/// \param what  "force" or "source"
std::string wordsOf(const ComponentOrder& order, const std::string& what) {
  std::string text;
  for (int axis = 0; axis < 3; ++axis) {
    const int other = order[axis];
    if (other == axis) continue;
    if (order[other] == axis && other > axis)
      return std::string("the ") + "xyz"[axis] + " and " + "xyz"[other] + " components of the " +
             what + "s are swapped";
    text += std::string(text.empty() ? "the " : ", the ") + "xyz"[axis] + " component" +
            (text.empty() ? " of each " + what : "") + " has the value of the " + "xyz"[other] +
            " component";
  }
  return text;
}

/// Returns \p x rounded to a significand of \p bits bits.
double roundedTo(int bits, double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

constexpr struct {
  int bits;  ///< bits of the significand
  const char* name;
} kSmall[] = {{8, "bfloat16"}, {11, "half"}};

/// Returns whether the forces have only \p bits bits, which rarely happens by chance.
bool haveBits(const Targets& targets, int bits) {
  std::size_t some = 0;
  for (const Double4& a : targets.computed)
    for (int axis = 0; axis < 3; ++axis) {
      const double x = component(a, axis);
      if (x != roundedTo(bits, x)) return false;
      some += x != 0;
    }
  return some >= 2 * kFewest;
}

/// Returns the factor with which \p vectors come nearest to what the forces have in addition to \p predicted.
double nearestFactor(const Targets& targets, const std::vector<Double4>& predicted,
                     const std::vector<Double4>& vectors) {
  double product = 0, square = 0;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    product += dot(minus(targets.computed[k], predicted[k]), vectors[k]);
    square += dot(vectors[k], vectors[k]);
  }
  return product / square;
}

std::vector<Double4> pullsOf(const Double4& source, const ForceLaw& law, const Targets& targets) {
  std::vector<Double4> pulls;
  for (std::size_t k = 0; k < targets.size(); ++k)
    pulls.push_back(pullBy(law, targets.place(k), source));
  return pulls;
}

/// Adds \p factor times \p pulls to \p forces.
void add(std::vector<Double4>& forces, double factor, const std::vector<Double4>& pulls) {
  for (std::size_t k = 0; k < forces.size(); ++k)
    forces[k] = plus(forces[k], times(factor, pulls[k]));
}

}  // namespace

std::string orderMistake(const Targets& targets, const Targets& few) {
  const ForceLaw law = targets.forces.law();
  const Bodies& bodies = targets.forces.bodies;
  for (const ComponentOrder& order : wrongOrders()) {
    std::vector<Double4> predicted;
    for (const Double4& r : targets.reference) predicted.push_back(reordered(r, order));
    if (targets.areExplainedBy(predicted)) return wordsOf(order, "force");
    Bodies sources = bodies;
    for (Double4& body : sources.positions) body = reordered(body, order);
    const auto byThem = [&](const Targets& on) {
      return accelerationsBy(law, bodies, on.bodies, &sources);
    };
    if (explains(byThem, targets, few)) return wordsOf(order, "source");
  }
  return "";
}

std::string precisionMistake(const Targets& targets, const Targets& few) {
  const ForceLaw law = targets.forces.law();
  const Bodies& bodies = targets.forces.bodies;
  for (const auto& [bits, name] : kSmall) {
    const std::string small =
        std::string(" ") + name + " precision (" + std::to_string(bits) + " bits)";
    if (haveBits(targets, bits)) {
      // Each addition loses half a unit in the last place of a sum that never exceeds its terms.
      // Other numbers of few bits could pass as forces too, so these must be near the correct ones.
      const double most = std::ldexp(bodies.count(), -bits);
      for (std::size_t k = 0; k < targets.size(); ++k)
        if (distance(targets.computed[k], targets.reference[k]) > most * targets.reference[k].w)
          return "";
      if (std::abs(nearestFactor(targets, targets.reference, targets.reference)) > 0.5) return "";
      return "the forces have" + small + ": check the type of the sum and of its array";
    }
    Bodies rounded = bodies;
    for (Double4& b : rounded.positions)
      b = {roundedTo(bits, b.x), roundedTo(bits, b.y), roundedTo(bits, b.z), roundedTo(bits, b.w)};
    for (const bool all : {true, false}) {
      const auto byRounded = [&](const Targets& on) {
        return accelerationsBy(law, all ? rounded : bodies, on.bodies, &rounded);
      };
      if (explains(byRounded, targets, few))
        return kThoseIf + ((all ? "the bodies have" : "the sources have") + small);
    }
  }
  return "";
}

/// Returns a message: "sources 768 and up are missing; sources 0 to 255 are counted 2 times".
static std::string countWords(const std::vector<int>& counts) {
  std::vector<int> all(counts.size());
  std::iota(all.begin(), all.end(), 0);
  std::string text;
  bool alone = false;  // the message is only that the last ones, more than one, are missing
  bool repeated = false;  // the message is only that the last one is counted too often
  for (int number : std::set<int>(counts.begin(), counts.end())) {
    if (number == 1) continue;
    std::vector<int> chosen;
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen),
                 [&](int j) { return counts[j] == number; });
    if (!text.empty()) text += "; ";
    text += rangesOf(chosen, all, chosen.size() == 1 ? "source" : "sources");
    text += chosen.size() == 1 ? " is " : " are ";
    const bool oneRange = chosen.back() - chosen.front() + 1 == static_cast<int>(chosen.size());
    if (number != 0) text += "counted " + std::to_string(number) + " times";
    else text += "missing";
    repeated = number > 2 && chosen.size() == 1 && chosen.back() == all.back() &&
               text.find(';') == std::string::npos;
    alone = number == 0 && oneRange && chosen.back() == all.back() && chosen.size() > 1 &&
            chosen.size() <= kLargestTile && text.find(';') == std::string::npos;
  }
  return text + " in the sums" +
         (alone ? ": is the last tile left out, or does a loop end too early?"
          : repeated
              ? ": is the last tile filled up with the last source, instead of without a mass?"
              : "");
}

/// Finds how often each source was counted, with this law.
static Mistake countMistake(const Targets& targets, const Targets& some, const ForceLaw& law,
                            bool each) {
  const Bodies& bodies = targets.forces.bodies;
  const std::vector<int> counts =
      sourceCounts(bodies, law, some.bodies, some.computed, each, targets.isChanged);
  const auto right = std::count(counts.begin(), counts.end(), 1);
  if (right == static_cast<long>(counts.size())) return {};
  // Several signs fit forces with a Change; only one does not count sources negatively.
  if (targets.isChanged && *std::min_element(counts.begin(), counts.end()) < 0) return {};
  std::vector<Double4> predicted;
  for (int i : targets.bodies) {
    Double4 sum = {0, 0, 0, 0};
    for (std::size_t j = 0; j < counts.size(); ++j) {
      const Double4 pull = pullBy(law, bodies.positions[i], bodies.positions[j]);
      sum = plus(sum, {counts[j] * pull.x, counts[j] * pull.y, counts[j] * pull.z,
                       std::abs(counts[j]) * pull.w});
    }
    predicted.push_back(sum);
  }
  if (!targets.areExplainedBy(predicted)) return {};
  return {countWords(counts), kShareOfTwo};
}

Mistake sourceMistake(const Targets& targets, const Targets& some) {
  for (int signs = 0; targets.isChanged && signs < 8; ++signs) {
    Targets other = some;
    for (Double4& a : other.computed)
      a = {signs & 1 ? -a.x : a.x, signs & 2 ? -a.y : a.y, signs & 4 ? -a.z : a.z, a.w};
    if (Mistake found = countMistake(targets, other, targets.forces.law(), false);
        !found.text.empty())
      return found;
  }
  if (targets.isChanged) return {};
  for (bool each : {false, true})
    if (Mistake found = countMistake(targets, some, targets.forces.law(), each);
        !found.text.empty())
      return found;
  return {};
}

std::string softeningMistake(const Targets& targets, const Targets& few) {
  const double softening = targets.forces.softening;
  if (softening <= 0 || few.size() < kFewest) return "";
  const auto lawOf = [&](double exponent) {
    const double other = softening * std::exp2(exponent);
    return ForceLaw{.softeningSquared = other * other};
  };
  const auto miss = [&](double exponent) {
    const auto forces = accelerationsBy(lawOf(exponent), few.forces.bodies, few.bodies);
    const Change change = few.changeOf(forces);
    double sum = 0;
    for (std::size_t k = 0; k < few.size(); ++k)
      sum += std::pow(distance(few.computed[k], change.of(forces[k])) / few.reference[k].w, 2);
    return sum;
  };
  constexpr double kMost = 8, kStep = 0.25;  // 256 times the softening, in steps of a fifth
  double best = -kMost, least = miss(best);
  for (double exponent = best + kStep; exponent <= kMost; exponent += kStep)
    if (const double now = miss(exponent); now < least) best = exponent, least = now;
  double low = best - kStep, high = best + kStep;
  for (int k = 0; k < 60; ++k) {
    const double third = (high - low) / 3;
    if (miss(low + third) < miss(high - third)) high -= third;
    else low += third;
  }
  const double found = (low + high) / 2;
  const auto byIt = [&](const Targets& on) {
    return accelerationsBy(lawOf(found), on.forces.bodies, on.bodies);
  };
  if (!explains(byIt, targets, few)) return "";
  return kThoseIf + formatted("the softening is %.3g instead of %.3g", softening * std::exp2(found),
                              softening);
}

std::string centreOfMassMistake(const Targets& targets) {
  const WrongForces& forces = targets.forces;
  Double4 whole = {0, 0, 0, 0};
  for (const Double4& body : forces.bodies.positions)
    whole = plus(whole, {body.w * body.x, body.w * body.y, body.w * body.z, body.w});
  whole = {whole.x / whole.w, whole.y / whole.w, whole.z / whole.w, whole.w};
  const std::vector<Double4> alone = pullsOf(whole, forces.law(), targets);
  std::vector<Double4> besides = targets.reference;
  add(besides, 1, alone);
  if (targets.areExplainedBy(alone))
    return "each body is pulled as if all bodies were one, at their centre of mass: does the "
           "kernel open far cells instead of near ones?";
  if (targets.areExplainedBy(besides))
    return "each body is pulled once more by all bodies as one, at their centre of mass: is a cell "
           "counted both as a whole and by its bodies?";
  return "";
}

/// Returns how many sources at the origin, the usual padding of a tile, add to forces with a law
/// without m_j. Adds them to \p predicted.
static int addPadding(const ForceLaw& law, const Targets& targets,
                      std::vector<Double4>& predicted) {
  using Mass = ForceLaw::Mass;
  if (law.mass != Mass::target && law.mass != Mass::none && law.mass != Mass::sum) return 0;
  if (targets.isChanged) return 0;
  const std::vector<Double4> pulls = pullsOf({0, 0, 0, 0}, law, targets);
  const double n = std::round(nearestFactor(targets, predicted, pulls));
  if (!(n >= 1 && n < kLargestTile)) return 0;
  add(predicted, n, pulls);
  return static_cast<int>(n);
}

std::string originMistake(const Targets& targets) {
  if (targets.size() < kFewest) return "";
  const std::vector<Double4> pulls = pullsOf({0, 0, 0, 1}, targets.forces.law(), targets);
  std::vector<Double4> predicted = targets.reference;
  const double mass = nearestFactor(targets, predicted, pulls);
  add(predicted, mass, pulls);
  if (!targets.areExplainedBy(predicted)) return "";
  return formatted(
      "a mass of %.3g at the origin pulls too: does the padding of the last tile have a mass?",
      mass);
}

Causes lawMistakes(const Targets& targets, const Targets& few) {
  Causes causes;
  for (const ForceLaw& law : mistakenLaws(targets.forces.softening)) {
    int padding = 0;
    auto predicted = [&](const Targets& t) {
      auto accelerations = accelerationsBy(law, t.forces.bodies, t.bodies);
      padding = addPadding(law, t, accelerations);
      return accelerations;
    };
    if (!explains(predicted, targets, few)) continue;
    causes.push_back((causes.empty() ? kThoseIf : "if ") + law.symptom);
    if (padding > 0)
      causes.back() += ", and " + std::to_string(padding) + " sources at the origin pull too";
  }
  return causes;
}

Mistake lawAndSourcesMistake(const Targets& targets) {
  constexpr std::size_t kSome = 128;
  std::vector<int> places(targets.size());
  std::iota(places.begin(), places.end(), 0);
  if (targets.size() != targets.forces.sample.size()) return {};
  const Targets some(targets.forces, places, kSome);
  for (const ForceLaw& law : mistakenLaws(targets.forces.softening))
    if (const Mistake counts = countMistake(targets, some, law, false); !counts.text.empty())
      return {kThoseIf + law.symptom + "; and " + counts.text, kShareOfTwo * counts.share};
  return {};
}

}  // namespace nbody
