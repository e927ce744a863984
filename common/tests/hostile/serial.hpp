// The whole sum in one thread.
#pragma once

#include "host_sum.hpp"

namespace nbody {

__device__ inline real4 serialSum(const real4* bodies, int count, real eps2, int i) {
  real x = 0, y = 0, z = 0;
  for (int j = 0; j < count; ++j) {
    const real dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y,
               dz = bodies[j].z - bodies[i].z;
    const real inverse = rsqrt(dx * dx + dy * dy + dz * dz + eps2);
    const real pull = bodies[j].w * inverse * inverse * inverse;
    x += pull * dx;
    y += pull * dy;
    z += pull * dz;
  }
  return {x, y, z, 0};
}

}  // namespace nbody
