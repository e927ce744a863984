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
  parallelFor(parts, 1, [&](int begin, int end) {
    for (int part = begin; part < end; ++part) {
      Random random(seedOfPart(seed, part));
      const int first = range.first + part * kPart;
      const int last = std::min(first + kPart, range.first + range.count);
      for (int i = first; i < last; ++i) {
        component.draw(random, bodies.positions[i], bodies.velocities[i]);
        bodies.positions[i].w = 1.0 / bodies.count();
      }
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

}  // namespace nbody
