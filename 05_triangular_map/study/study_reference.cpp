#include "05_triangular_map/study/study_reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "bodies/random.hpp"

namespace nbody::inline NBODY_PRECISION::triangular {

std::vector<float4> randomPoints(int n, std::uint64_t seed) {
  Random random(seed);
  auto feature = [&] { return static_cast<float>(random.uniform()); };
  std::vector<float4> points;
  points.reserve(n);
  // Braces fix the order in which the numbers are drawn.
  for (int k = 0; k < n; ++k) points.push_back({feature(), feature(), feature(), feature()});
  return points;
}

double worstDistanceError(const std::vector<float4>& points,
                          int row,
                          const std::vector<float>& distances) {
  double worst = 0;
  for (int j = 0; j < row; ++j) {
    const float4& a = points[row];
    const float4& b = points[j];
    const double x = static_cast<double>(a.x) - b.x;
    const double y = static_cast<double>(a.y) - b.y;
    const double z = static_cast<double>(a.z) - b.z;
    const double w = static_cast<double>(a.w) - b.w;
    const double expected = std::sqrt(x * x + y * y + z * z + w * w);
    const double error = std::abs(distances[j] - expected) / expected;
    if (!(error <= worst))
      worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
  }
  return worst;
}

std::vector<float> randomSpheres(int n, int dimensions, std::uint64_t seed) {
  // Two spheres with radii uniform in (0, R) touch with probability 2 R on a line of length 1, and
  // with 2 pi R^3 in the unit cube, from the mean 3/2 R^3 of (r_1 + r_2)^3. The aim: 2 n pairs.
  const double most = dimensions == 1 ? 2.0 / n : std::cbrt(2 / (std::numbers::pi * n));
  Random random(seed);
  std::vector<float> spheres;
  spheres.reserve(static_cast<std::size_t>(n) * (dimensions + 1));
  for (int i = 0; i < n; ++i) {
    for (int d = 0; d < dimensions; ++d) spheres.push_back(static_cast<float>(random.uniform()));
    spheres.push_back(static_cast<float>(random.uniform(0, most)));
  }
  return spheres;
}

Collisions collisionsInDoublePrecision(const std::vector<float>& spheres, int dimensions) {
  // At most 8 units of roundoff from differences, squares and sum, and 3 from the squared reach.
  constexpr double kDoubt = 11 * 0x1p-24;
  const int width = dimensions + 1;
  const int n = static_cast<int>(spheres.size()) / width;
  auto coordinate = [&](int i, int d) { return static_cast<double>(spheres[i * width + d]); };
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, coordinate(i, dimensions));
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int i) { return coordinate(i, 0); });

  Collisions collisions;
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {
      const int i = order[a];
      const int j = order[b];
      if (coordinate(j, 0) - coordinate(i, 0) > 2.001 * largest) break;  // no later sphere touches
      double squared = 0;
      for (int d = 0; d < dimensions; ++d)
        squared += (coordinate(i, d) - coordinate(j, d)) * (coordinate(i, d) - coordinate(j, d));
      const double reach = coordinate(i, dimensions) + coordinate(j, dimensions);
      const double share = squared / (reach * reach);
      const Collision pair = collisionOf(std::max(i, j), std::min(i, j));
      if (share <= 1 - kDoubt) collisions.certain.push_back(pair);
      else if (share <= 1 + kDoubt) collisions.doubtful.push_back(pair);
    }
  }
  std::ranges::sort(collisions.certain);
  std::ranges::sort(collisions.doubtful);
  return collisions;
}

std::string compareCollisions(const Collisions& expected, const std::vector<Collision>& found) {
  auto name = [](Collision pair) {
    return "of " + std::to_string(pair >> 32) + " and " + std::to_string(pair & 0xffffffffu);
  };
  const auto twice = std::ranges::adjacent_find(found);
  if (twice != found.end()) return "the collision " + name(*twice) + " was found twice";
  for (Collision pair : expected.certain)
    if (!std::ranges::binary_search(found, pair))
      return "the collision " + name(pair) + " was not found";
  for (Collision pair : found)
    if (!std::ranges::binary_search(expected.certain, pair) &&
        !std::ranges::binary_search(expected.doubtful, pair))
      return "there is no collision " + name(pair);
  return "";
}

}  // namespace nbody::inline NBODY_PRECISION::triangular
