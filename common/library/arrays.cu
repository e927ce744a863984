#include "library/arrays.hpp"

#include "cuda/cuda.hpp"

namespace nbody::library {

constexpr int kBlock = 256;

/// Returns a check for the magnitude \p number: the larger it is, the smaller the check.
template <class Real>
__device__ unsigned findingOf(Real number) {
  return number > 0 ? Checks::kZero - (ilogb(number) + 1) : kNone;
}

__device__ void lower(unsigned& check, unsigned to) {
  if (to < check) atomicMin(&check, to);  // most have nothing to change
}

/// Lowers \p check to the least value of a warp's lanes, which all call this.
__device__ void lowerByWarp(unsigned& check, unsigned value) {
  for (int step = 16; step > 0; step /= 2)
    value = min(value, __shfl_xor_sync(0xffffffff, value, step));
  if (threadIdx.x % 32 == 0) lower(check, value);
}

/// Returns whether \p now is not near \p last compared with the distance to \p other, another of
/// the bodies; or has another mass.
template <class Real4>
__device__ bool hasMoved(const Real4& last, const Real4& now, const Real4& other) {
  const auto distance = [&](const Real4& from) {
    return max(fabs(now.x - from.x), max(fabs(now.y - from.y), fabs(now.z - from.z)));
  };
  return !(distance(last) * 2 <= distance(other)) || !(fabs(now.w - last.w) * 2 <= now.w);
}

/// Thread i copies and checks body i. Shared memory: the block's checks. Barriers: 3, around the
/// writes to them.
template <class Real, class Real4>
__global__ void packKernel(const Real* __restrict__ positions, const Real* __restrict__ masses,
                           int count, Units units, Real4* bodies, bool compare, Checks* checks) {
  __shared__ unsigned found[7];
  Checks& block = *reinterpret_cast<Checks*>(found);
  if (threadIdx.x < 7) found[threadIdx.x] = kNone;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Real farthest = 0, mass = 0;
  bool fine = false, moved = false;
  if (i < count) {
    const auto placeOf = [&](int k) {
      const Real* p = positions + 3 * static_cast<std::size_t>(k);
      return Real4{scalbn(p[0], -units.length), scalbn(p[1], -units.length),
                   scalbn(p[2], -units.length), scalbn(masses[k], -units.mass)};
    };
    const Real* p = positions + 3 * static_cast<std::size_t>(i);
    mass = masses[i];
    // False for NaN.
    const bool near =
        fabs(p[0]) <= kMost<Real> && fabs(p[1]) <= kMost<Real> && fabs(p[2]) <= kMost<Real>;
    const bool massive = mass >= 0 && mass <= kMost<Real>;
    fine = near && massive;
    if (!near) lower(block.badPosition, i);
    if (!massive) lower(block.badMass, i);
    if (mass != masses[0]) lower(block.unequal, 0);
    if (fine) farthest = max(fabs(p[0]), max(fabs(p[1]), fabs(p[2])));
    const Real4 body = fine ? placeOf(i) : Real4{0, 0, 0, 0};
    // Another body of the same cluster, if there are few, but not of the same binary.
    if (compare) moved = hasMoved(bodies[i], body, placeOf((i + count / 64 + 1) % count));
    bodies[i] = body;
  }
  lowerByWarp(block.farthest, findingOf(farthest));
  lowerByWarp(block.heaviest, fine ? findingOf(mass) : kNone);
  lowerByWarp(block.lightest, fine && mass > 0 ? Checks::kZero + ilogb(mass) : kNone);
  const int movedInBlock = __syncthreads_count(moved);
  if (threadIdx.x < 6) lower((&checks->badPosition)[threadIdx.x], found[threadIdx.x]);
  if (threadIdx.x == 6 && movedInBlock > 0)
    atomicAdd(&checks->moved, static_cast<unsigned>(movedInBlock));
}

/// Thread i copies the acceleration of body i. Shared memory, barriers: none.
template <class Real, class Real4>
__global__ void unpackKernel(const Real4* __restrict__ from, int count, int exponent,
                             const Checks* checks, bool equalMasses, Checks limits, Checks* next,
                             Reported* reported, Real* __restrict__ accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Checks found = *checks;
  if (i == 0) reported->checks = found;
  if (i == 0) *next = Checks();
  if (i >= count || !found.good() || found.equalMasses() != equalMasses || !found.within(limits))
    return;
  const Real4 a = from[i];
  const Real x = scalbn(a.x, exponent), y = scalbn(a.y, exponent), z = scalbn(a.z, exponent);
  Real* to = accelerations + 3 * static_cast<std::size_t>(i);
  to[0] = x, to[1] = y, to[2] = z;
  if (!fits(a, x, y, z)) reported->badResult = 0;  // all that write it write the same
}

template <class Real, class Real4>
void pack(const Real* positions, const Real* masses, int count, Units units, Real4* bodies,
          bool compare, Checks* checks) {
  packKernel<<<blocksFor(count, kBlock), kBlock, 0, stream()>>>(positions, masses, count, units,
                                                                bodies, compare, checks);
  CUDA_CHECK(cudaGetLastError());
}

template <class Real, class Real4>
void unpack(const Real4* from, int count, int exponent, const Checks* checks, bool equalMasses,
            const Checks& limits, Checks* next, Reported* reported, Real* accelerations) {
  unpackKernel<<<blocksFor(count, kBlock), kBlock, 0, stream()>>>(
      from, count, exponent, checks, equalMasses, limits, next, reported, accelerations);
  CUDA_CHECK(cudaGetLastError());
}

template void pack(const float*, const float*, int, Units, float4*, bool, Checks*);
template void pack(const double*, const double*, int, Units, Double4*, bool, Checks*);
template void unpack(const float4*, int, int, const Checks*, bool, const Checks&, Checks*,
                     Reported*, float*);
template void unpack(const Double4*, int, int, const Checks*, bool, const Checks&, Checks*,
                     Reported*, double*);

}  // namespace nbody::library
