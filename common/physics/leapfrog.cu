#include "physics/leapfrog.hpp"

#include "cuda/cuda.hpp"

namespace nbody {

constexpr int kBlock = 256;

/// Thread i advances body i. No shared memory, no barrier.
template <class Real4, class Real>
__global__ void kickDriftKernel(Real4* bodies,
                                Real4* velocities,
                                const Real4* accelerations,
                                int count,
                                Real kickTime,
                                Real driftTime) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Real4 v = kicked(velocities[i], accelerations[i], kickTime);
  bodies[i] = drifted(bodies[i], v, driftTime);
  velocities[i] = v;
}

template <class Real4>
using RealOf = decltype(Real4::x);

template <class Real4>
void kickDrift(DeviceArray<Real4>& bodies,
               DeviceArray<Real4>& velocities,
               const DeviceArray<Real4>& accelerations,
               double kickTime,
               double driftTime) {
  const int count = static_cast<int>(bodies.size());
  kickDriftKernel<Real4, RealOf<Real4>><<<blocksFor(count, kBlock), kBlock, 0, stream()>>>(
      bodies.data(), velocities.data(), accelerations.data(), count, kickTime, driftTime);
  CUDA_CHECK(cudaGetLastError());
}

template void kickDrift(DeviceArray<float4>&,
                        DeviceArray<float4>&,
                        const DeviceArray<float4>&,
                        double,
                        double);
template void kickDrift(DeviceArray<Double4>&,
                        DeviceArray<Double4>&,
                        const DeviceArray<Double4>&,
                        double,
                        double);

}  // namespace nbody
