// Mistakes of the numbers themselves: components in another order, too few digits.
#include <array>
#include <cmath>

#include "diagnose/force_laws.hpp"
#include "diagnose/targets.hpp"

namespace nbody {

namespace {

/// Components that x, y and z hold.
using ComponentOrder = std::array<int, 3>;

Double4 reordered(const Double4& v, const ComponentOrder& order) {
  return {component(v, order[0]), component(v, order[1]), component(v, order[2]), v.w};
}

/// All but the right one.
std::vector<ComponentOrder> wrongOrders() {
  std::vector<ComponentOrder> orders;
  for (int number = 0; number < 27; ++number) {
    const ComponentOrder order = {number / 9, number / 3 % 3, number % 3};
    if (order != ComponentOrder{0, 1, 2}) orders.push_back(order);
  }
  return orders;
}

/// "the x and y components of the forces are swapped", "the z component of each force has the
/// value of the y component"; \p what: "force" or "source".
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

/// \p x rounded to a significand of \p bits bits.
double roundedTo(int bits, double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

constexpr struct {
  int bits;  ///< of a significand
  const char* name;
} kSmall[] = {{8, "bfloat16"}, {11, "half"}};

/// Forces on the targets where they are, from other sources than the bodies.
std::vector<Double4> accelerationsFrom(const Bodies& sources, const ForceLaw& law,
                                       const Targets& on) {
  std::vector<Double4> accelerations;
  for (std::size_t k = 0; k < on.size(); ++k) {
    Double4 sum = {0, 0, 0, 0};
    for (const Double4& source : sources.positions)
      sum = plus(sum, pullBy(law, on.place(k), source));
    accelerations.push_back(sum);
  }
  return accelerations;
}

/// Returns whether the forces have only \p bits bits. By chance hardly any forces have so few.
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
  for (const ComponentOrder& order : wrongOrders()) {
    std::vector<Double4> predicted;
    for (const Double4& r : targets.reference) predicted.push_back(reordered(r, order));
    if (targets.areExplainedBy(predicted)) return wordsOf(order, "force");
    Bodies sources = targets.forces.bodies;
    for (Double4& body : sources.positions) body = reordered(body, order);
    if (few.match(accelerationsFrom(sources, law, few)) &&
        targets.areExplainedBy(accelerationsFrom(sources, law, targets)))
      return wordsOf(order, "source");
  }
  return "";
}

std::string precisionMistake(const Targets& targets, const Targets& few) {
  const ForceLaw law = {.softeningSquared = targets.forces.softening * targets.forces.softening};
  for (const auto& [bits, name] : kSmall) {
    const std::string small =
        std::string(" ") + name + " precision (" + std::to_string(bits) + " bits)";
    if (haveBits(targets, bits)) {
      // Each addition loses half a unit in the last place of a sum that never exceeds its terms. By
      // that other numbers of few bits could be forces, too: these must be near the right ones.
      const double most = std::ldexp(targets.forces.bodies.count(), -bits);
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
    Bodies rounded = targets.forces.bodies;
    for (Double4& b : rounded.positions)
      b = {roundedTo(bits, b.x), roundedTo(bits, b.y), roundedTo(bits, b.z), roundedTo(bits, b.w)};
    if (few.match(accelerationsBy(law, rounded, few.bodies)) &&
        targets.areExplainedBy(accelerationsBy(law, rounded, targets.bodies)))
      return kThoseIf + ("the bodies have" + small);
    if (few.match(accelerationsFrom(rounded, law, few)) &&
        targets.areExplainedBy(accelerationsFrom(rounded, law, targets)))
      return kThoseIf + ("the sources have" + small);
  }
  return "";
}

}  // namespace nbody
