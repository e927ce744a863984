#include "physics/leapfrog.hpp"

#include "cuda/cuda.hpp"

namespace nbody {

constexpr int kBlock = 256;

/// Thread i advances body i. No shared memory, no barrier.
template <class Real4, class Real>
__global__ void kickDriftKernel(Real4* bodies, Real4* velocities, const Real4* accelerations,
                                int count, Real kickDue, Real timeStep) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  // Two kicks and not their sum: a run from a snapshot goes on to the last bit as the whole one.
  const Real4 a = accelerations[i];
  const Real4 v = kicked(kicked(velocities[i], a, kickDue), a, timeStep / 2);
  bodies[i] = drifted(bodies[i], v, timeStep);
  velocities[i] = v;
}

/// Thread i kicks body i. No shared memory, no barrier.
template <class Real4, class Real>
__global__ void kickKernel(Real4* velocities, const Real4* accelerations, int count, Real time) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) velocities[i] = kicked(velocities[i], accelerations[i], time);
}

template <class Real4>
using RealOf = decltype(Real4::x);

template <class Real4>
void kickDrift(DeviceArray<Real4>& bodies, DeviceArray<Real4>& velocities,
               const DeviceArray<Real4>& accelerations, double kickDue, double timeStep) {
  const int count = static_cast<int>(bodies.size());
  kickDriftKernel<Real4, RealOf<Real4>><<<blocksFor(count, kBlock), kBlock, 0, stream()>>>(
      bodies.data(), velocities.data(), accelerations.data(), count, kickDue, timeStep);
  CUDA_CHECK(cudaGetLastError());
}

template <class Real4>
void kick(DeviceArray<Real4>& velocities, const DeviceArray<Real4>& accelerations, double time) {
  const int count = static_cast<int>(velocities.size());
  kickKernel<Real4, RealOf<Real4>><<<blocksFor(count, kBlock), kBlock, 0, stream()>>>(
      velocities.data(), accelerations.data(), count, time);
  CUDA_CHECK(cudaGetLastError());
}

template void kickDrift(DeviceArray<float4>&, DeviceArray<float4>&, const DeviceArray<float4>&,
                        double, double);
template void kickDrift(DeviceArray<Double4>&, DeviceArray<Double4>&, const DeviceArray<Double4>&,
                        double, double);
template void kick(DeviceArray<float4>&, const DeviceArray<float4>&, double);
template void kick(DeviceArray<Double4>&, const DeviceArray<Double4>&, double);

}  // namespace nbody
