// The scene merger: the orbit of its galaxies, and how their disks lie in it.
#include "galaxy_checks.hpp"

using namespace nbody;

namespace {

constexpr int kCount = 24000;

/// The direction of the angular momentum of \p range about its own centre.
Double4 spinOf(const Bodies& bodies, const BodyRange& range) {
  const auto [at, moving] = centreOf(bodies, range);
  Double4 spin = {0, 0, 0, 0};
  for (int i = range.first; i < range.first + range.count; ++i) {
    const Double4 p = minus(bodies.positions[i], at), v = minus(bodies.velocities[i], moving);
    spin = plus(spin, cross(p, v));
  }
  return times(1 / length(spin), spin);
}

}  // namespace

TEST_CASE("the merger's bodies are two galaxies', component by component") {
  const int count = GENERATE(1, 2, 3, 7, 12, 13, 24000);
  CAPTURE(count);
  const auto ranges = mergerComponents(count);
  REQUIRE(ranges.size() == 6);
  requireCovered(ranges, count);
  CHECK(ranges[0].count + ranges[1].count + ranges[2].count == (count + 1) / 2);
  CHECK(ranges[1].name == "disk 1");
  CHECK(ranges[5].name == "halo 2");
  const Bodies bodies = makeMerger(count, 1);
  REQUIRE(bodies.count() == count);
  for (const Double4& p : bodies.positions) REQUIRE(p.w == 1.0 / count);
  const auto [at, moving] = centreOf(bodies, {"", 0, count});
  CHECK(length(at) <= 1e-13);
  CHECK(length(moving) <= 1e-14);
}

TEST_CASE("the merger's galaxies are on a parabola of pericentre 2.5") {
  const Bodies bodies = makeMerger(kCount, 1);
  const Centre one = centreOf(bodies, 0, kCount / 2);
  const Centre two = centreOf(bodies, kCount / 2, kCount / 2);
  checkParabola(one, two, 20, 2.5);
  const Double4 r = minus(two.at, one.at), v = minus(two.moving, one.moving);
  const double momentum = r.x * v.y - r.y * v.x;
  CHECK(std::abs(r.z) + std::abs(v.z) <= 1e-12);
  // v x h - r / |r| points to the pericentre, and has the eccentricity's length.
  CHECK(std::abs(v.y * momentum - r.x / length(r) - 1) <= 1e-12);
  CHECK(std::abs(-v.x * momentum - r.y / length(r)) <= 1e-12);
}

TEST_CASE("the merger's disks lie in its orbit and 71 degrees across it") {
  const Bodies bodies = makeMerger(kCount, 1);
  const auto ranges = mergerComponents(kCount);
  const Double4 one = spinOf(bodies, ranges[1]), two = spinOf(bodies, ranges[4]);
  const double degree = std::numbers::pi / 180;
  CHECK(one.z >= std::cos(1 * degree));
  CHECK(std::abs(std::acos(two.z) - 71 * degree) <= 1 * degree);
  // The ascending node, z x spin, is 30 degrees before the pericentre, which is on +x.
  CHECK(std::abs(std::atan2(two.x, -two.y) + 30 * degree) <= 1 * degree);
}

TEST_CASE("the merger's galaxies are of half the mass, in equilibrium, and different") {
  const Bodies bodies = makeMerger(kCount, 1);
  const Bodies alone = makeGalaxy(kCount / 2, 1);
  const auto ranges = mergerComponents(kCount);
  const BodyRange disk = galaxyComponents(kCount / 2)[1];
  const auto speedOf = [](const Bodies& of, const BodyRange& range) {
    const auto [at, moving] = centreOf(of, range);
    double sum = 0;
    for (int i = range.first; i < range.first + range.count; ++i)
      sum += std::pow(distance(of.velocities[i], moving), 2) / range.count;
    return std::sqrt(sum);
  };
  for (int galaxy : {1, 4}) {  // 2,000 bodies of a disk whose speeds hardly vary
    CHECK(std::abs(halfMassRadius(bodies, ranges[galaxy]) / halfMassRadius(alone, disk) - 1) <=
          0.06);
    CHECK(std::abs(speedOf(bodies, ranges[galaxy]) / speedOf(alone, disk) - std::sqrt(0.5)) <=
          0.02);
  }
  const auto distanceOf = [&](const BodyRange& range) {
    return length(minus(bodies.positions[range.first], centreOf(bodies, range).at));
  };
  CHECK(std::abs(distanceOf(ranges[1]) - distanceOf(ranges[4])) >= 1e-6);
}
