// The scene galaxy: its masses, its profiles, its motions. The scene merger: the orbit of its galaxies, and how
// their disks lie in it.
#include "bodies/galaxy.hpp"

#include <numeric>

#include "galaxy_checks.hpp"
#include "physics/reference.hpp"

using namespace nbody;

namespace {

const GalaxyModel& model() { return GalaxyModel::get(); }

std::vector<Double4> forcesOn(const Bodies& bodies, const BodyRange& range) {
  std::vector<int> sample(range.count);
  std::iota(sample.begin(), sample.end(), range.first);
  return referenceAccelerations(bodies, GalaxyModel::kSoftening, sample);
}

/// The share of a spheroid's mass within \p r, its density integrated by the midpoint rule.
double shareWithin(const SpheroidShape& shape, double r) {
  const auto massTo = [&](double end) {
    double sum = 0;
    for (int k = 0; k < 10000; ++k) {
      const double x = end * (k + 0.5) / 10000;
      sum += end * x / std::pow(x + shape.scale, 3) * std::exp(-std::pow(x / shape.cut, 2));
    }
    return sum;
  };
  return massTo(r) / massTo(6 * shape.cut);
}

double shareOfBodiesWithin(const Bodies& bodies, const BodyRange& range, double r) {
  int within = 0;
  for (int i = range.first; i < range.first + range.count; ++i)
    within += length(bodies.positions[i]) < r;
  return double(within) / range.count;
}

constexpr int kCount = 24000;  // of the merger

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

TEST_CASE("the galaxy's bulge, disk and halo weigh 1:1:4 and follow each other") {
  const int count = GENERATE(1, 2, 3, 5, 6, 7, 1000, 6000);
  CAPTURE(count);
  const auto ranges = galaxyComponents(count);
  REQUIRE(ranges.size() == 3);
  CHECK(ranges[0].count == count / 6);
  CHECK(ranges[1].count == count / 6);
  const Bodies bodies = makeGalaxy(count, 1);
  for (const Double4& p : bodies.positions) REQUIRE(p.w == 1.0 / count);
  const auto [at, moving] = centreOf(bodies, {"all", 0, count});
  CHECK(length(at) <= 1e-14);
  CHECK(length(moving) <= 1e-15);
}

TEST_CASE("the galaxy's bulge and halo have the density that they claim") {
  const Bodies bodies = makeGalaxy(60000, 1);
  const auto ranges = galaxyComponents(60000);
  // A share of 10,000 bodies or more scatters by at most 0.5 / sqrt(10000). Allow three times that.
  const auto missed = [&](int component, const SpheroidShape& shape, double r) {
    return std::abs(shareOfBodiesWithin(bodies, ranges[component], r) - shareWithin(shape, r));
  };
  for (double r : {0.1, 0.2, 0.5, 2.0}) CHECK(missed(0, GalaxyModel::kBulge, r) <= 0.015);
  for (double r : {1.0, 4.0, 10.0, 20.0}) CHECK(missed(2, GalaxyModel::kHalo, r) <= 0.015);
}

TEST_CASE("the galaxy's disk is exponential and of one height") {
  const Bodies bodies = makeGalaxy(60000, 1);
  const BodyRange disk = galaxyComponents(60000)[1];
  std::vector<double> radii;
  double height = 0;
  for (int i = disk.first; i < disk.first + disk.count; ++i) {
    radii.push_back(distanceFromAxis(bodies.positions[i]));
    height += std::abs(bodies.positions[i].z) / disk.count;
  }
  std::sort(radii.begin(), radii.end());
  double farthest = 0;  // Kolmogorov and Smirnov's distance from the exponential disk's share
  for (int k = 0; k < disk.count; ++k)
    farthest =
        std::max(farthest, std::abs(DiskShape::massShare(radii[k]) - double(k) / disk.count));
  // Beyond 1.63 / sqrt(n) one sample in a hundred; the edge at R = 10 and the centre's shift take
  // less than 0.002.
  CHECK(farthest <= 1.63 / std::sqrt(disk.count) + 0.002);
  CHECK(radii.back() <= 10.1);
  CHECK(std::abs(height / (0.2 * std::numbers::ln2) - 1) <= 0.03);
}

TEST_CASE("each component of the galaxy is in virial equilibrium with the forces of all") {
  const Bodies bodies = makeGalaxy(12000, 1);
  for (const BodyRange& range : galaxyComponents(12000)) {
    INFO(range.name);
    const std::vector<Double4> forces = forcesOn(bodies, range);
    double twiceKinetic = 0, virial = 0;
    for (int k = 0; k < range.count; ++k) {
      const Double4& v = bodies.velocities[range.first + k];
      twiceKinetic += dot(v, v);
      virial -= dot(bodies.positions[range.first + k], forces[k]);
    }
    // 2,000 bodies scatter by 1 / sqrt(2000) or less, 2.2%.
    CHECK(std::abs(twiceKinetic / virial - 1) <= 0.05);
  }
}

TEST_CASE("the galaxy's disk turns as the forces on it demand") {
  const Bodies bodies = makeGalaxy(48000, 1);
  const BodyRange disk = galaxyComponents(48000)[1];
  const std::vector<Double4> forces = forcesOn(bodies, disk);
  for (double R : {0.5, 1.0, 2.0, 3.0}) {
    INFO("R = " << R);
    const Ring ring = ringOf(bodies, disk, forces, 0.9 * R, 1.1 * R);
    REQUIRE(ring.bodies >= 250);
    CHECK(std::abs(ring.circularSpeed / model().disk().circularSpeed(R) - 1) <= 0.02);
    // Asymmetric drift, from what was measured: v_c^2 - v^2 = sigma_R^2 (2 R - 1 + kappa^2 / (4
    // Omega^2)). The ring's width and graininess are worth a per cent.
    const double ratio = ring.azimuthalDispersion / ring.radialDispersion;
    const double drift =
        ring.radialDispersion * ring.radialDispersion * (2 * R - 1 + ratio * ratio);
    const double steady = std::sqrt(ring.circularSpeed * ring.circularSpeed - drift);
    CHECK(std::abs(ring.meanSpeed / steady - 1) <= 0.02);
  }
  const Ring ring = ringOf(bodies, disk, forces, 1.8, 2.2);
  const double kappa = model().disk().epicyclicFrequency(2);
  const double Q = ring.radialDispersion * kappa /
                   (3.36 * GalaxyModel::kDisk.mass * std::exp(-2) / (2 * std::numbers::pi));
  CHECK(std::abs(Q - 1.3) <= 0.13);  // of 600 bodies the dispersion is good to 3%
  for (double R = 0.5; R < 6; R += 0.5)
    CHECK(model().disk().radialDispersion(R) * model().disk().epicyclicFrequency(R) >=
          1.25 * 3.36 * GalaxyModel::kDisk.surfaceDensity(R));
  // The time of a circle at R = 2.2: what documentation and figures call a rotation.
  CHECK(std::abs(2 * std::numbers::pi * 2.2 / model().disk().circularSpeed(2.2) - 31) <= 0.2);
}

TEST_CASE("bulge and halo have distribution functions that grow with the energy") {
  for (const Spheroid* spheroid : {&model().bulge(), &model().halo()})
    for (int k = 0; k + 1 < RadialTable::kCount; ++k) {
      REQUIRE(spheroid->distribution(k + 1) >= 0);
      REQUIRE(spheroid->distribution(k) >= spheroid->distribution(k + 1));
    }
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
