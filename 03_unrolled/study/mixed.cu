#include "study/mixed.hpp"

#include <algorithm>
#include <cmath>

#include "cuda/cuda.hpp"
#include "physics/reference.hpp"
#include "study/precisions.cuh"

namespace nbody {

namespace {

constexpr int kBlock = 256;
constexpr int kBodies = 2;  // of a thread
constexpr int kUnroll = 16;

/// Step 03's kernel. bodies, accelerations (x, y, z, 0): of length count. Shared memory: one source a
/// thread.
template <Positions kPositions, Sums kSums>
__global__ void __launch_bounds__(kBlock) mixedKernel(const Body<kPositions>* __restrict__ bodies,
                                                      int count,
                                                      float scale,
                                                      double softeningSquared,
                                                      Double4* __restrict__ accelerations) {
  using Real = RealOf<kPositions>;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Body<kPositions> body[kBodies];
  Sum<kSums, Real> x[kBodies], y[kBodies], z[kBodies];
  for (int b = 0; b < kBodies; ++b) body[b] = bodies[min(i * kBodies + b, count - 1)];
  __shared__ Body<kPositions> tile[kBlock];
  for (int first = 0; first < count; first += kBlock) {
    const int j = first + threadIdx.x;
    tile[threadIdx.x] = j < count ? bodies[j] : Body<kPositions>{};  // no mass: no pull
    __syncthreads();  // the tile is whole before any thread reads it
#pragma unroll kUnroll
    for (int k = 0; k < kBlock; ++k) {
      for (int b = 0; b < kBodies; ++b) {
        const Vector<Real> r = difference(body[b], tile[k], scale);
        const Real inverse =
            rsqrt(static_cast<Real>(softeningSquared) + r.x * r.x + r.y * r.y + r.z * r.z);
        const Real s = (massOf(tile[k]) * inverse) * (inverse * inverse);
        x[b].add(s * r.x);
        y[b].add(s * r.y);
        z[b].add(s * r.z);
      }
    }
    __syncthreads();  // every thread has read the tile before the next one replaces it
  }
  for (int b = 0; b < kBodies; ++b)
    if (i * kBodies + b < count)
      accelerations[i * kBodies + b] = {x[b].value, y[b].value, z[b].value, 0};
}

double largestCoordinate(const Bodies& bodies) {
  double most = 0;
  for (const Double4& p : bodies.positions)
    most = std::max({most, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  return most;
}

/// The largest error of a force, of its terms' lengths, that rounding positions adds: of the nearest
/// two, whose difference counts as the softening at least.
double positionError(Positions positions, double largest, double softening) {
  const double unit = positions == Positions::fp32    ? 0x1p-24
                      : positions == Positions::fixed ? 0x1p-30
                                                      : 0x1p-48;
  return 8 * unit * largest / softening;
}

template <Positions kPositions, Sums kSums>
MixedRun runOf(const char* positions,
               const char* sums,
               const Bodies& bodies,
               double softening,
               int repeats) {
  const int count = bodies.count();
  const double largest = largestCoordinate(bodies);
  const float scale = static_cast<float>(std::exp2(std::ceil(std::log2(largest / kFixedRange))));
  std::vector<Body<kPositions>> host(count);
  for (int i = 0; i < count; ++i) convert(bodies.positions[i], scale, host[i]);
  DeviceArray<Body<kPositions>> device(count, "bodies");
  DeviceArray<Double4> accelerations(count, "accelerations");
  device.upload(host);
  accelerations.poison();
  const unsigned blocks =
      static_cast<unsigned>((count + kBlock * kBodies - 1) / (kBlock * kBodies));
  const auto run = [&] {
    mixedKernel<kPositions, kSums><<<blocks, kBlock, 0, stream()>>>(
        device.data(), count, scale, softening * softening, accelerations.data());
    CUDA_CHECK(cudaGetLastError());
  };
  run();
  MixedRun found{.positions = positions, .sums = sums, .error = {}, .time = {}};
  const double roundoff = kPositions == Positions::fp64 ? 0x1p-53 : 0x1p-24;
  const double more =
      kPositions == Positions::fp64 ? 0 : positionError(kPositions, largest, softening);
  found.error = compareForces(bodies, accelerations.download(), softening, roundoff, {more, more});
#ifdef NBODY_GPU
  found.time = timeOnDevice(run, repeats);
#else
  static_cast<void>(repeats);
#endif
  return found;
}

}  // namespace

std::vector<MixedRun> studyMixed(const Bodies& bodies, double softening, int repeats) {
  using P = Positions;
  return {runOf<P::fp32, Sums::plain>("fp32", "plain", bodies, softening, repeats),
          runOf<P::fp32, Sums::compensated>("fp32", "compensated", bodies, softening, repeats),
          runOf<P::pairs, Sums::plain>("pairs", "plain", bodies, softening, repeats),
          runOf<P::pairs, Sums::compensated>("pairs", "compensated", bodies, softening, repeats),
          runOf<P::fixed, Sums::plain>("fixed", "plain", bodies, softening, repeats),
          runOf<P::fixed, Sums::compensated>("fixed", "compensated", bodies, softening, repeats),
          runOf<P::fp64, Sums::plain>("fp64", "plain", bodies, softening, repeats)};
}

}  // namespace nbody
