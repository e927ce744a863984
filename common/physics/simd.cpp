// Compiled with -O3 -march=native -fno-math-errno: errno would keep the square root scalar.
#include "base/parallel.hpp"
#include "physics/baselines.hpp"
#include "physics/gravity.hpp"

namespace nbody {

namespace {

/// Positions and masses as the vector units read them: one array for each component.
struct Sources {
  std::vector<float> x, y, z, mass;

  Sources(const float4* bodies, int count) {
    for (std::vector<float>* component : {&x, &y, &z, &mass}) component->reserve(count);
    for (int j = 0; j < count; ++j) {
      x.push_back(bodies[j].x);
      y.push_back(bodies[j].y);
      z.push_back(bodies[j].z);
      mass.push_back(bodies[j].w);
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

void simdPulls(const float4* bodies, int count, const float4* sources, int sourceCount,
               float softeningSquared, int threads, float4* sums) {
  const Sources all(sources, sourceCount);
  parallelForEach(count, 64, threads, [&](int i) {
    const float4 pull = accelerationOf(bodies[i], all, softeningSquared);
    sums[i] = {sums[i].x + pull.x, sums[i].y + pull.y, sums[i].z + pull.z, 0};
  });
}

void simdForces(const std::vector<float4>& bodies, float softeningSquared,
                std::vector<float4>& accelerations) {
  const int count = static_cast<int>(bodies.size());
  accelerations.assign(count, {0, 0, 0, 0});
  simdPulls(bodies.data(), count, bodies.data(), count, softeningSquared, 0, accelerations.data());
}

}  // namespace nbody
