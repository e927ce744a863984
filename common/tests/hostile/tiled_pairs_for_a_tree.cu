// Task: 07
// Kind: other work
// Tries: the same with tiles, which read less of global memory than the tree does.
// Stopped by: the same.
// Most: 25
#include "driver/step.hpp"

namespace nbody {

constexpr int kTile = 128;

__global__ void forcesKernel(const real4* bodies, int count, real eps2, real4* accelerations) {
  __shared__ real4 tile[kTile];
  const int i = blockIdx.x * kTile + threadIdx.x;
  const real4 body = i < count ? bodies[i] : real4{0, 0, 0, 0};
  real x = 0, y = 0, z = 0;
  for (int first = 0; first < count; first += kTile) {
    const int source = first + threadIdx.x;
    tile[threadIdx.x] = source < count ? bodies[source] : real4{0, 0, 0, 0};
    __syncthreads();
    for (int j = 0; j < kTile; ++j) {
      const real dx = tile[j].x - body.x, dy = tile[j].y - body.y, dz = tile[j].z - body.z;
      const real inverse = rsqrt(dx * dx + dy * dy + dz * dz + eps2);
      const real pull = tile[j].w * inverse * inverse * inverse;
      x += pull * dx;
      y += pull * dy;
      z += pull * dz;
    }
    __syncthreads();
  }
  if (i < count) accelerations[i] = real4{x, y, z, 0};
}

struct Workspace {};
std::shared_ptr<Workspace> makeWorkspace() { return std::make_shared<Workspace>(); }
bool lackedRoom(Workspace&) { return false; }

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options&,
                   DeviceArray<real4>& accelerations,
                   Workspace&) {
  const int count = static_cast<int>(bodies.size());
  forcesKernel<<<blocksFor(count, kTile), kTile, 0, stream()>>>(
      bodies.data(), count, softeningSquared, accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}

PhaseTimes computeForcesInPhases(const DeviceArray<real4>& bodies,
                                 real softeningSquared,
                                 const Options& options,
                                 DeviceArray<real4>& accelerations,
                                 Workspace& workspace) {
  computeForces(bodies, softeningSquared, options, accelerations, workspace);
  return {};
}

}  // namespace nbody
