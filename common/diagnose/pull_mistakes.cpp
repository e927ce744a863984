// Mistakes of pulls (sources, all bodies as one, another law) and of numbers (order, precision).
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "base/text.hpp"
#include "diagnose/force_laws.hpp"
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

}  // namespace

std::string orderMistake(const Targets& targets, const Targets& few) {
  const ForceLaw law = {.softeningSquared = targets.forces.softening * targets.forces.softening};
  const Bodies& bodies = targets.forces.bodies;
  for (const ComponentOrder& order : wrongOrders()) {
    std::vector<Double4> predicted;
    for (const Double4& r : targets.reference) predicted.push_back(reordered(r, order));
    if (targets.areExplainedBy(predicted)) return wordsOf(order, "force");
    Bodies sources = bodies;
    for (Double4& body : sources.positions) body = reordered(body, order);
    if (few.match(accelerationsBy(law, bodies, few.bodies, &sources)) &&
        targets.areExplainedBy(accelerationsBy(law, bodies, targets.bodies, &sources)))
      return wordsOf(order, "source");
  }
  return "";
}

std::string precisionMistake(const Targets& targets, const Targets& few) {
  const ForceLaw law = {.softeningSquared = targets.forces.softening * targets.forces.softening};
  const Bodies& bodies = targets.forces.bodies;
  for (const auto& [bits, name] : kSmall) {
    const std::string small =
        std::string(" ") + name + " precision (" + std::to_string(bits) + " bits)";
    if (haveBits(targets, bits)) {
      // Each addition loses half a unit in the last place of a sum that never exceeds its terms.
      // Other numbers of few bits could pass as forces too, so these must be near the correct ones.
      const double most = std::ldexp(bodies.count(), -bits);
      double product = 0, square = 0;
      for (std::size_t k = 0; k < targets.size(); ++k) {
        if (distance(targets.computed[k], targets.reference[k]) > most * targets.reference[k].w)
          return "";
        product += dot(targets.computed[k], targets.reference[k]);
        square += dot(targets.reference[k], targets.reference[k]);
      }
      if (std::abs(product / square - 1) > 0.5) return "";
      return "the forces have" + small + ": check the type of the sum and of its array";
    }
    Bodies rounded = bodies;
    for (Double4& b : rounded.positions)
      b = {roundedTo(bits, b.x), roundedTo(bits, b.y), roundedTo(bits, b.z), roundedTo(bits, b.w)};
    if (few.match(accelerationsBy(law, rounded, few.bodies)) &&
        targets.areExplainedBy(accelerationsBy(law, rounded, targets.bodies)))
      return kThoseIf + ("the bodies have" + small);
    if (few.match(accelerationsBy(law, bodies, few.bodies, &rounded)) &&
        targets.areExplainedBy(accelerationsBy(law, bodies, targets.bodies, &rounded)))
      return kThoseIf + ("the sources have" + small);
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

std::string sourceMistake(const Targets& targets, const Targets& some) {
  const Bodies& bodies = targets.forces.bodies;
  const double softening = targets.forces.softening;
  for (bool each : {false, true}) {
    const std::vector<int> counts =
        sourceCounts(bodies, softening, some.bodies, some.computed, each);
    if (counts.empty()) continue;
    if (targets.areExplainedBy(accelerationsFrom(counts, bodies, softening, targets.bodies)))
      return countWords(counts);
  }
  return "";
}

std::string centreOfMassMistake(const Targets& targets) {
  const WrongForces& forces = targets.forces;
  Double4 whole = {0, 0, 0, 0};
  for (const Double4& body : forces.bodies.positions)
    whole = plus(whole, {body.w * body.x, body.w * body.y, body.w * body.z, body.w});
  whole = {whole.x / whole.w, whole.y / whole.w, whole.z / whole.w, whole.w};
  const ForceLaw law = {.softeningSquared = forces.softening * forces.softening};
  std::vector<Double4> alone, besides;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const Double4 p = pullBy(law, targets.place(k), whole);
    alone.push_back(p);
    besides.push_back(plus(targets.reference[k], p));
  }
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
  std::vector<Double4> pulls;
  double product = 0, square = 0;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const Double4 p = pullBy(law, targets.place(k), {0, 0, 0, 0});
    product += dot(minus(targets.computed[k], predicted[k]), p);
    square += dot(p, p);
    pulls.push_back(p);
  }
  const double n = std::round(product / square);
  if (!(n >= 1 && n < kLargestTile)) return 0;
  for (std::size_t k = 0; k < targets.size(); ++k)
    predicted[k] = plus(predicted[k], times(n, pulls[k]));
  return static_cast<int>(n);
}

std::string originMistake(const Targets& targets) {
  if (targets.size() < kFewest) return "";
  const ForceLaw law = {.softeningSquared = targets.forces.softening * targets.forces.softening};
  std::vector<Double4> pulls, predicted;
  double product = 0, square = 0;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    pulls.push_back(pullBy(law, targets.place(k), {0, 0, 0, 1}));
    product += dot(minus(targets.computed[k], targets.reference[k]), pulls.back());
    square += dot(pulls.back(), pulls.back());
  }
  const double mass = product / square;
  for (std::size_t k = 0; k < targets.size(); ++k)
    predicted.push_back(plus(targets.reference[k], times(mass, pulls[k])));
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
    // Eight bodies are enough to reject most laws.
    if (!few.match(predicted(few)) || !targets.areExplainedBy(predicted(targets))) continue;
    causes.push_back((causes.empty() ? kThoseIf : "if ") + law.symptom);
    if (padding > 0)
      causes.back() += ", and " + std::to_string(padding) + " sources at the origin pull too";
  }
  return causes;
}

}  // namespace nbody
