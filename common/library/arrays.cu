#include "library/arrays.hpp"

#include "cuda/cuda.hpp"

namespace nbody::library {

constexpr int kBlock = 256;

/// Thread i copies body i. Threads that clear a finding write the same value. Shared memory,
/// barriers: none.
template <class Real, class Real4>
__global__ void packKernel(const Real* __restrict__ positions, const Real* __restrict__ masses,
                           int count, Real4* __restrict__ bodies, Findings* findings) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Real* p = positions + 3 * static_cast<std::size_t>(i);
  const Real mass = masses[i], most = kMostCoordinate<Real>;
  // False for NaN.
  const bool near = fabs(p[0]) <= most && fabs(p[1]) <= most && fabs(p[2]) <= most;
  const bool fine = mass >= 0 && mass <= kMostMass<Real>;
  if (!near) atomicMin(&findings->badPosition, static_cast<unsigned>(i));
  if (!fine) atomicMin(&findings->badMass, static_cast<unsigned>(i));
  if (mass != masses[0] && findings->unequal == kNone) findings->unequal = 0;
  if (mass > 0 && findings->massive == kNone) findings->massive = 0;
  bodies[i] = near && fine ? Real4{p[0], p[1], p[2], mass} : Real4{0, 0, 0, 0};
}

/// Thread i copies the acceleration of body i. Shared memory, barriers: none.
template <class Real, class Real4>
__global__ void unpackKernel(const Real4* __restrict__ from, int count, const Findings* findings,
                             bool equalMasses, Findings* next, Findings* told,
                             Real* __restrict__ accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Findings found = *findings;
  if (i == 0) *told = found;
  if (i == 0) *next = {kNone, kNone, kNone, kNone};
  if (i >= count || !found.good() || found.equalMasses() != equalMasses) return;
  const Real4 acceleration = from[i];
  Real* to = accelerations + 3 * static_cast<std::size_t>(i);
  to[0] = acceleration.x, to[1] = acceleration.y, to[2] = acceleration.z;
}

template <class Real, class Real4>
void pack(const Real* positions, const Real* masses, int count, Real4* bodies, Findings* findings) {
  packKernel<<<blocksFor(count, kBlock), kBlock, 0, stream()>>>(positions, masses, count, bodies,
                                                                findings);
  CUDA_CHECK(cudaGetLastError());
}

template <class Real, class Real4>
void unpack(const Real4* from, int count, const Findings* findings, bool equalMasses,
            Findings* next, Findings* told, Real* accelerations) {
  unpackKernel<<<blocksFor(count, kBlock), kBlock, 0, stream()>>>(
      from, count, findings, equalMasses, next, told, accelerations);
  CUDA_CHECK(cudaGetLastError());
}

template void pack(const float*, const float*, int, float4*, Findings*);
template void pack(const double*, const double*, int, Double4*, Findings*);
template void unpack(const float4*, int, const Findings*, bool, Findings*, Findings*, float*);
template void unpack(const Double4*, int, const Findings*, bool, Findings*, Findings*, double*);

}  // namespace nbody::library
