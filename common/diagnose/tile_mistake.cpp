#include <algorithm>
#include <cstdlib>

#include "base/parallel.hpp"
#include "diagnose/force_laws.hpp"
#include "diagnose/targets.hpp"

namespace nbody {

namespace {

/// A warp's bodies: no tile is smaller, and sums are passed on among them.
constexpr int kLanes = 32;

/// Where a source is, seen from a body: in an earlier tile, in the body's own, in a later one.
enum class Part { earlier, own, later };

/// A mistake in the pulls of one part, in words around the name of the part.
struct Variant {
  int factor;
  ForceLaw::Mass mass;
  const char* before;
  const char* after;
};
constexpr Variant kVariants[] = {
    {0, ForceLaw::Mass::source, "each body gets no pull from ", ""},
    {2, ForceLaw::Mass::source, "each body gets twice the pull of ", ""},
    {-1, ForceLaw::Mass::source, "each body gets the pull of ", " in the opposite direction"},
    {1,
     ForceLaw::Mass::target,
     "each body gets the pull of ",
     ", but scaled by the mass of i instead of j"}};

std::vector<Double4> accelerationsBy(Part part,
                                     const Variant& variant,
                                     int side,
                                     const Targets& on) {
  const ForceLaw right = {.softeningSquared = on.forces.softening * on.forces.softening};
  ForceLaw wrong = right;
  wrong.mass = variant.mass;
  std::vector<Double4> accelerations(on.size());
  parallelForEach(static_cast<int>(on.size()), 1, [&](int k) {
    const int own = on.bodies[k] / side;
    Double4 sum = {0, 0, 0, 0};
    for (int j = 0; j < on.forces.bodies.count(); ++j) {
      const int tile = j / side;
      const Part of = tile < own ? Part::earlier : tile == own ? Part::own : Part::later;
      const int f = part == of ? variant.factor : 1;
      const ForceLaw& law = part == of ? wrong : right;
      const Double4 p = pullBy(law, on.place(k), on.forces.bodies.positions[j]);
      sum = {sum.x + f * p.x, sum.y + f * p.y, sum.z + f * p.z, sum.w + std::abs(f) * p.w};
    }
    accelerations[k] = sum;
  });
  return accelerations;
}

std::string wordsOf(Part part, const Variant& variant, int side) {
  const std::string size = std::to_string(side) + " bodies";
  if (part == Part::own)
    return variant.before + ("the bodies in its own tile (" + size) + ")" + variant.after +
           ": is the diagonal wrong?";
  const std::string tiles = part == Part::later ? "later tiles" : "earlier tiles";
  return variant.before + ("the bodies in " + tiles) + " (" + size + " each)" + variant.after +
         ": is the opposite force (the reaction) " + (variant.factor == 0 ? "added?" : "correct?");
}

}  // namespace

std::string tileMistake(const Targets& targets, const Targets& few) {
  for (int side = kLanes; side <= static_cast<int>(kLargestTile); side *= 2)
    for (Part part : {Part::own, Part::later, Part::earlier})
      for (const Variant& variant : kVariants) {
        auto predicted = [&](const Targets& on) {
          return accelerationsBy(part, variant, side, on);
        };
        if (few.match(predicted(few)) && targets.areExplainedBy(predicted(targets)))
          return wordsOf(part, variant, side);
      }
  return "";
}

std::string groupMistake(const Targets& targets) {
  if (targets.size() != targets.forces.bodies.positions.size()) return "";  // of a sample no sums
  const std::size_t count = targets.size();
  for (std::size_t side = 2; side <= kLanes && side < count; side *= 2) {
    std::vector<Double4> predicted;
    for (std::size_t k = 0; k < count; ++k) {
      // Lanes past the end may have the last body.
      const std::size_t first = k / side * side;
      Double4 sum = {0, 0, 0, 0};
      for (std::size_t other = first; other < first + side; ++other)
        sum = plus(sum, targets.reference[std::min(other, count - 1)]);
      predicted.push_back(sum);
    }
    if (targets.areExplainedBy(predicted))
      return "each body has the sum of the forces on its " + std::to_string(side) +
             " neighbours: does the reduction also add the lanes of other bodies?";
  }
  return "";
}

std::string laneMistake(const Targets& targets) {
  const double tolerance = targets.forces.tolerance;
  double wrong = 0, allowed = 0;
  for (std::size_t first = 0, next = 0; first < targets.size(); first = next) {
    Double4 computed = {0, 0, 0, 0}, right = computed;
    for (; next < targets.size() && targets.bodies[next] / kLanes == targets.bodies[first] / kLanes;
         ++next) {
      const Double4 &a = targets.computed[next], &r = targets.reference[next];
      computed = plus(computed, a);
      right = plus(right, r);
      wrong += distance(a, r);
    }
    if (distance(computed, right) > 2 * tolerance * right.w) return "";
    allowed += 2 * tolerance * right.w;
  }
  // Small errors may cancel in a sum by chance.
  if (wrong < 10 * allowed) return "";
  return "in each group of 32 bodies the sum of the forces is correct, but single forces are "
         "wrong: are they mixed up between the lanes of a warp, or added to the wrong body?";
}

}  // namespace nbody
