#include "physics/baselines.hpp"
#include "physics/gravity.hpp"

namespace nbody {

void serialForces(const std::vector<float4>& bodies, float softeningSquared,
                  std::vector<float4>& accelerations) {
  const int count = static_cast<int>(bodies.size());
  accelerations.assign(count, {0, 0, 0, 0});
  for (int i = 0; i < count; ++i) {
    const float4 body = bodies[i];
    float x = 0, y = 0, z = 0;
    for (int j = i + 1; j < count; ++j) {
      const float4 other = bodies[j];
      const float rx = other.x - body.x;
      const float ry = other.y - body.y;
      const float rz = other.z - body.z;
      const float inverseCube = pullFactor(1.0f, rx, ry, rz, softeningSquared);
      const float pull = other.w * inverseCube;
      x += pull * rx;
      y += pull * ry;
      z += pull * rz;
      const float reaction = body.w * inverseCube;
      accelerations[j].x -= reaction * rx;
      accelerations[j].y -= reaction * ry;
      accelerations[j].z -= reaction * rz;
    }
    accelerations[i].x += x;
    accelerations[i].y += y;
    accelerations[i].z += z;
  }
}

}  // namespace nbody
