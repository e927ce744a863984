// Compiled with -O3 -march=native -fno-math-errno: errno would keep the square root scalar.
#include "base/parallel.hpp"
#include "physics/baselines.hpp"
#include "physics/gravity.hpp"

namespace nbody {

namespace {

/// Positions and masses as the vector units read them: one array for each component.
struct Sources {
  std::vector<float> x, y, z, mass;

  explicit Sources(const std::vector<float4>& bodies) {
    for (std::vector<float>* component : {&x, &y, &z, &mass}) component->reserve(bodies.size());
    for (const float4& body : bodies) {
      x.push_back(body.x);
      y.push_back(body.y);
      z.push_back(body.z);
      mass.push_back(body.w);
    }
  }
};

float4 accelerationOf(const float4& body, const Sources& sources, float softeningSquared) {
  const float* sx = sources.x.data();
  const float* sy = sources.y.data();
  const float* sz = sources.z.data();
  const float* mass = sources.mass.data();
  const int count = static_cast<int>(sources.x.size());
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
  return {x, y, z, 0};
}

}  // namespace

void simdForces(const std::vector<float4>& bodies, float softeningSquared,
                std::vector<float4>& accelerations) {
  const int count = static_cast<int>(bodies.size());
  const Sources sources(bodies);
  accelerations.resize(count);
  parallelForEach(count, 64, [&](int i) {
    accelerations[i] = accelerationOf(bodies[i], sources, softeningSquared);
  });
}

}  // namespace nbody
