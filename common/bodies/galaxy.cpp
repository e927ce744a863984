#include "bodies/galaxy.hpp"

#include "base/parallel.hpp"
#include "bodies/centre.hpp"
#include "bodies/scenes.hpp"

namespace nbody {

namespace {

RadialTable sumOf(const RadialTable& one, const RadialTable& other) {
  RadialTable sum;
  for (int k = 0; k < RadialTable::kCount; ++k) sum[k] = one[k] + other[k];
  return sum;
}

/// The mass of \p disk spread over spheres.
RadialTable rounded(const DiskShape& disk) {
  RadialTable mass;
  for (int k = 0; k < RadialTable::kCount; ++k)
    mass[k] = disk.mass * DiskShape::massShare(RadialTable::radius(k));
  return mass;
}

/// Draws the bodies of \p range by \p component, whatever the number of cores the same.
template <class Component>
void drawRange(Bodies& bodies,
               const BodyRange& range,
               const Component& component,
               std::uint64_t seed) {
  constexpr int kPart = 4096;  // bodies of one seed
  const int parts = (range.count + kPart - 1) / kPart;
  parallelForEach(parts, 1, [&](int part) {
    Random random(seedOfPart(seed, part));
    const int first = range.first + part * kPart;
    const int last = std::min(first + kPart, range.first + range.count);
    for (int i = first; i < last; ++i) {
      component.draw(random, bodies.positions[i], bodies.velocities[i]);
      bodies.positions[i].w = 1.0 / bodies.count();
    }
  });
}

}  // namespace

std::vector<BodyRange> galaxyComponents(int count) {
  const int each = count / 6;
  return {{"bulge", 0, each}, {"disk", each, each}, {"halo", 2 * each, count - 2 * each}};
}

const GalaxyModel& GalaxyModel::get() {
  static const GalaxyModel model;
  return model;
}

GalaxyModel::GalaxyModel()
    : bulge_(kBulge),
      halo_(kHalo),
      round_(softenedMass(sumOf(bulge_.mass(), halo_.mass()), kSoftening)),
      disk_(kDisk, round_, kSoftening) {
  const SphericalField field(sumOf(round_, softenedMass(rounded(kDisk), kSoftening)));
  bulge_.setField(field);
  halo_.setField(field);
}

Bodies GalaxyModel::draw(int count, std::uint64_t seed, std::uint64_t number) const {
  Bodies bodies = {std::vector<Double4>(count), std::vector<Double4>(count)};
  const std::vector<BodyRange> ranges = galaxyComponents(count);
  const auto seedOf = [&](int component) {
    return seedOfPart(seedOfPart(seed, number), component);
  };
  drawRange(bodies, ranges[0], bulge_, seedOf(0));
  drawRange(bodies, ranges[1], disk_, seedOf(1));
  drawRange(bodies, ranges[2], halo_, seedOf(2));
  centre(bodies);
  return bodies;
}

Bodies makeGalaxy(int count, std::uint64_t seed) { return GalaxyModel::get().draw(count, seed, 0); }

// The merger's orbit.
constexpr double kPericentre = 2.5;
constexpr double kSeparation = 20;
constexpr double kInclination = 71;  // of galaxy 2's disk, degrees
constexpr double kArgument = 30;  // of its pericentre, from where it rises through the orbit

std::vector<BodyRange> mergerComponents(int count) {
  std::vector<BodyRange> all;
  int first = 0;
  for (int galaxy : {1, 2}) {
    const int bodies = galaxy == 1 ? (count + 1) / 2 : count / 2;
    for (const BodyRange& range : galaxyComponents(bodies))
      all.push_back({range.name + " " + std::to_string(galaxy), first + range.first, range.count});
    first += bodies;
  }
  return all;
}

Bodies makeMerger(int count, std::uint64_t seed) {
  const Bodies one = GalaxyModel::get().draw((count + 1) / 2, seed, 1);
  Bodies two = GalaxyModel::get().draw(count / 2, seed, 2);
  for (auto* vectors : {&two.positions, &two.velocities})
    for (Double4& p : *vectors) p = turned(p, radians(kInclination), -radians(kArgument));

  // Parabola of r = q (1 + D^2) with D the tangent of half the angle from the pericentre, on +x;
  // dD/dt = sqrt(2 q) / (2 q^2 (1 + D^2)).
  const double D = -std::sqrt(kSeparation / kPericentre - 1);
  const double rate = std::sqrt(2 * kPericentre) / (2 * kPericentre * kSeparation);
  const Double4 r = {kPericentre * (1 - D * D), 2 * kPericentre * D, 0, 0};
  const Double4 v = {-2 * kPericentre * D * rate, 2 * kPericentre * rate, 0, 0};
  Bodies bodies;
  bodies.reserve(count);
  const double mass = 1.0 / count;
  // At half its mass a galaxy of the same size stays in equilibrium with slower bodies.
  const double slower = std::sqrt(0.5);
  addScaled(bodies, one, mass, 1, slower, {-r.x / 2, -r.y / 2, 0, 0}, {-v.x / 2, -v.y / 2, 0, 0});
  addScaled(bodies, two, mass, 1, slower, {r.x / 2, r.y / 2, 0, 0}, {v.x / 2, v.y / 2, 0, 0});
  centre(bodies);
  return bodies;
}

}  // namespace nbody
