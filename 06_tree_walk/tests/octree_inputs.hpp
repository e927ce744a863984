/// \file
/// Bodies that are difficult for an octree, by name.
#pragma once

#include "bodies/random.hpp"
#include "made_bodies.hpp"

namespace nbody {

struct OctreeInput {
  std::string name;
  std::vector<Double4> positions;
};

/// Returns \p count bodies of mass 1 / count at the positions of place(random).
template <class Place>
std::vector<Double4> bodiesAt(int count, Place place) {
  Random random(11);
  std::vector<Double4> positions;
  for (int i = 0; i < count; ++i) {
    const double3 p = place(random);
    positions.push_back({p.x, p.y, p.z, 1.0 / count});
  }
  return positions;
}

/// Returns two Plummer spheres, 2:1 in bodies and mass, about four scale lengths apart. The smaller
/// one has half the size.
inline std::vector<Double4> mergingSpheres(int count) {
  std::vector<Double4> positions = makePlummer(count, 5).positions;
  for (int i = 0; i < count; ++i) {
    Double4& p = positions[i];
    if (i % 3 == 0) p = {2.4 + 0.5 * p.x, 0.3 + 0.5 * p.y, 0.5 * p.z, p.w};
  }
  return positions;
}

/// Returns a number of either sign with a magnitude from 1e-6 to 1e6.
inline double ofAnySize(Random& random) {
  const double size = std::pow(10, random.uniform(-6, 6));
  return random.uniform() < 0.5 ? -size : size;
}

inline double3 point(double x, double y, double z) { return {x, y, z}; }

inline std::vector<OctreeInput> octreeInputs() {
  using R = Random;
  const auto cube = [](R& r) { return point(r.uniform(), r.uniform(), r.uniform()); };
  const auto aPoint = [](R&) { return point(0.1, -7.3, 1e5); };
  std::vector<OctreeInput> inputs = {
      {"cube", makeCube(1500, 3).positions},
      {"plummer", makePlummer(1500, 3).positions},
      {"merging spheres", mergingSpheres(1500)},
      {"one point", bodiesAt(1500, aPoint)},
      {"two points", bodiesAt(1000, [](R& r) { return point(r.uniform() < 0.5, 1, 2); })},
      {"a line", bodiesAt(1000, [](R& r) { return point(4, r.uniform(), -2); })},
      {"a plane", bodiesAt(1000, [](R& r) { return point(r.uniform(), r.uniform(), 1e9); })},
      {"12 orders of magnitude",
       bodiesAt(1500, [](R& r) { return point(ofAnySize(r), ofAnySize(r), ofAnySize(r)); })},
      {"a crowd in the last cell",
       bodiesAt(500, [](R& r) { return point(1e-9 * r.uniform(), 0, r.uniform() < 0.1); })}};
  inputs.push_back({"1000 coincide", makePlummer(1500, 3).positions});
  for (int i = 0; i < 1000; ++i) {
    Double4& body = inputs.back().positions[i];
    body = {0.25, 0.5, -0.125, body.w};
  }
  inputs.push_back({"no mass", bodiesAt(300, cube)});
  for (Double4& body : inputs.back().positions) body.w = 0;
  inputs.push_back({"mass in every third", bodiesAt(300, cube)});
  for (int i = 0; i < 300; ++i) inputs.back().positions[i].w *= i % 3 == 0;
  for (int count : {1, 2, 3, 7, 8, 9, 63, 64, 65})
    inputs.push_back({std::to_string(count), bodiesAt(count, cube)});
  return inputs;
}

}  // namespace nbody
