#include "bodies/units.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "base/bad_input.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"

namespace nbody {

namespace {

/// Limits of a precision, as exponents of two.
struct Range {
  /// Lengths and masses from 2^-common to 2^common keep their units. N-body units, astronomical
  /// units with solar masses, and galactic units are all within 2^32 = 4e9.
  int common;
  int product;  ///< bound of a mass times or divided by the third power of a length
  int lengths;  ///< largest ratio of two lengths
  int largest;
};

// Products leave room for sums of 2^27 terms, and the ratio makes 1 / epsilon^3 at most a product.
constexpr Range kSingle = {32, 100, 66, 127};
constexpr Range kDouble = {256, 900, 600, 1023};

int half(int sum) { return sum >> 1; }  // rounds down, also below 0

}  // namespace

Magnitudes magnitudesOf(const Bodies& bodies) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  struct Sizes {
    double farthest = 0, fastest = 0, heaviest = 0, lightest = kInfinity;
  };
  const auto raise = [](double& most, const Double4& v) {
    for (double number : {v.x, v.y, v.z})
      if (const double size = std::abs(number); size > most && size < kInfinity) most = size;
  };
  Sizes found;
  std::mutex merging;
  parallelFor(bodies.count(), 65536, 0, [&](int begin, int end) {
    Sizes own;
    for (int i = begin; i < end; ++i) {
      const double mass = bodies.positions[i].w;
      raise(own.farthest, bodies.positions[i]);
      if (i < static_cast<int>(bodies.velocities.size())) raise(own.fastest, bodies.velocities[i]);
      if (mass > own.heaviest && mass < kInfinity) own.heaviest = mass;
      if (mass > 0 && mass < own.lightest) own.lightest = mass;
    }
    const std::lock_guard lock(merging);
    found = {std::max(found.farthest, own.farthest), std::max(found.fastest, own.fastest),
             std::max(found.heaviest, own.heaviest), std::min(found.lightest, own.lightest)};
  });
  Magnitudes all;
  if (found.farthest > 0) all.farthest = std::ilogb(found.farthest) + 1;
  if (found.fastest > 0) all.fastest = std::ilogb(found.fastest) + 1;
  if (found.heaviest > 0) all.heaviest = std::ilogb(found.heaviest) + 1;
  if (found.lightest < kInfinity) all.lightest = std::ilogb(found.lightest);
  return all;
}

Units unitsFor(const Magnitudes& magnitudes, double softening, bool doublePrecision) {
  const auto [common, product, lengths, largest] = doublePrecision ? kDouble : kSingle;
  const int shortest = std::ilogb(softening);
  const int farthest = std::max(magnitudes.farthest, shortest + 1);
  const bool massive = magnitudes.heaviest != Magnitudes::kNone;
  const int heaviest = massive ? magnitudes.heaviest : 0;
  const int lightest = massive ? magnitudes.lightest : 0;
  const bool usual = farthest <= common && shortest >= -common && std::abs(heaviest) <= common &&
                     heaviest - 3 * shortest <= product && lightest - 3 * farthest >= -product;
  Units units;
  if (!usual) {
    if (farthest - shortest > lengths)
      throw BadInput(
          formatted("softening: %g is too short for bodies as far out as %g: in %s "
                    "precision it must be at least %.2g of that",
                    softening, std::ldexp(1.0, farthest), doublePrecision ? "double" : "single",
                    std::ldexp(1.0, -lengths)));
    // Lengths and masses from the smallest to the largest lie around 1, and so do their products.
    units.length = half(farthest + shortest);
    const int most = product + 3 * (shortest - units.length);
    units.mass = std::max(half(heaviest + lightest), heaviest - most);
    units.mass += (units.mass - units.length) & 1;
  }
  if (magnitudes.fastest - units.velocity() > largest)
    throw BadInput(
        formatted("velocities: a component of %.2g or more is too fast here: in %s "
                  "precision it must be at most %.2g",
                  std::ldexp(1.0, magnitudes.fastest - 1), doublePrecision ? "double" : "single",
                  std::ldexp(1.0, std::min(1023, largest + units.velocity()))));
  return units;
}

std::vector<Double4> scaled(std::vector<Double4> vectors, int length, int mass) {
  if (length == 0 && mass == 0) return vectors;
  for (Double4& v : vectors)
    v = {std::ldexp(v.x, length), std::ldexp(v.y, length), std::ldexp(v.z, length),
         std::ldexp(v.w, mass)};
  return vectors;
}

Bodies inUnits(Bodies bodies, const Units& units) {
  return {scaled(std::move(bodies.positions), -units.length, -units.mass),
          scaled(std::move(bodies.velocities), -units.velocity())};
}

Bodies fromUnits(Bodies bodies, const Units& units) {
  return {scaled(std::move(bodies.positions), units.length, units.mass),
          scaled(std::move(bodies.velocities), units.velocity())};
}

}  // namespace nbody
