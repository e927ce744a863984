/// \file
/// The loops of the host's tree code, written to be vectorised.
#pragma once

#include <vector>

#include "physics/gravity.hpp"
#include "quadrupole.cuh"

namespace nbody {

/// What a list names, as the vector units read it: one array for each component, x, y, z from the
/// group's centre, then the mass and of nodes the quadrupole
/// and the second moment.
template <int kComponents>
struct Sources {
  std::vector<float> components[kComponents];

  void resize(int count) {
    for (auto& component : components) component.resize(count);
  }

  void set(int j, const double (&values)[kComponents]) {
    for (int k = 0; k < kComponents; ++k) components[k][j] = static_cast<float>(values[k]);
  }

  int count() const { return static_cast<int>(components[0].size()); }
};

/// The pull of bodies, or of nodes by their masses alone.
template <int kComponents>
inline float3 pullOfMasses(const Sources<kComponents>& sources,
                           float3 body,
                           float softeningSquared) {
  const float* sx = sources.components[0].data();
  const float* sy = sources.components[1].data();
  const float* sz = sources.components[2].data();
  const float* mass = sources.components[3].data();
  const int count = sources.count();
  float x = 0, y = 0, z = 0;
#pragma omp simd reduction(+ : x, y, z)
  for (int j = 0; j < count; ++j) {
    const float rx = sx[j] - body.x;
    const float ry = sy[j] - body.y;
    const float rz = sz[j] - body.z;
    const float pull = pullFactor(mass[j], rx, ry, rz, softeningSquared);
    x += pull * rx;
    y += pull * ry;
    z += pull * rz;
  }
  return {x, y, z};
}

/// The pull of nodes with their quadrupoles.
inline float3 pullOfNodes(const Sources<11>& nodes, float3 body, float softeningSquared) {
  const float* sx = nodes.components[0].data();
  const float* sy = nodes.components[1].data();
  const float* sz = nodes.components[2].data();
  const float* mass = nodes.components[3].data();
  const float* xx = nodes.components[4].data();
  const float* yy = nodes.components[5].data();
  const float* zz = nodes.components[6].data();
  const float* xy = nodes.components[7].data();
  const float* xz = nodes.components[8].data();
  const float* yz = nodes.components[9].data();
  const float* second = nodes.components[10].data();
  const int count = nodes.count();
  float x = 0, y = 0, z = 0;
#pragma omp simd reduction(+ : x, y, z)
  for (int j = 0; j < count; ++j) {
    const float rx = sx[j] - body.x;
    const float ry = sy[j] - body.y;
    const float rz = sz[j] - body.z;
    const Multipole node = {
        {0, 0, 0, mass[j]}, {xx[j], yy[j], zz[j], 0}, {xy[j], xz[j], yz[j], second[j]}};
    const float inverse = inverseDistance(rx, ry, rz, softeningSquared);
    const float3 pull = quadrupolePull({rx, ry, rz}, inverse, node, softeningSquared);
    x += pull.x;
    y += pull.y;
    z += pull.z;
  }
  return {x, y, z};
}

}  // namespace nbody
