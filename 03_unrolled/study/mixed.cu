#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "03_unrolled/study/mixed.hpp"
#include "bodies/vectors.hpp"
#include "cuda/cuda.hpp"
#include "physics/reference.hpp"

namespace nbody::inline NBODY_PRECISION::unrolled {

// Positions and sums of several precisions.

constexpr double kFixedRange = 0x1p30;  // largest coordinate: a difference of two still fits an int

enum class Positions { fp32, pairs, fixed, fp64 };
enum class Sums { plain, compensated };

template <Positions kPositions>
using RealOf = std::conditional_t<kPositions == Positions::fp64, double, float>;

template <class Real>
struct Vector {
  Real x, y, z;
};

/// A body: its position, and its mass in w. set() converts from FP64, and to() returns the vector
/// to another body. scale: length of a unit of fixed point, a power of two.
template <Positions kPositions>
struct Body {
  std::conditional_t<kPositions == Positions::fp64, Double4, float4> at;

  void set(const Double4& p, float) {
    if constexpr (kPositions == Positions::fp64) at = p;
    else at = converted<float4>(p);
  }
  __device__ RealOf<kPositions> mass() const { return at.w; }
  __device__ Vector<RealOf<kPositions>> to(const Body& j, float) const {
    return {j.at.x - at.x, j.at.y - at.y, j.at.z - at.z};
  }
};

template <>
struct Body<Positions::pairs> {
  float4 at, rest;  // the position is their sum

  void set(const Double4& p, float) {
    at = converted<float4>(p);
    rest = converted<float4>(minus(p, {at.x, at.y, at.z, 0}));
  }
  __device__ float mass() const { return at.w; }
  __device__ Vector<float> to(const Body& j, float) const {
    // Between close bodies the first difference is exact.
    return {(j.at.x - at.x) + (j.rest.x - rest.x),
            (j.at.y - at.y) + (j.rest.y - rest.y),
            (j.at.z - at.z) + (j.rest.z - rest.z)};
  }
};

template <>
struct Body<Positions::fixed> {
  int4 at;  // units of the scale; w: the bits of the mass

  void set(const Double4& p, float scale) {
    const auto units = [&](double value) { return static_cast<int>(std::lround(value / scale)); };
    at = {units(p.x), units(p.y), units(p.z), std::bit_cast<int>(static_cast<float>(p.w))};
  }
  __device__ float mass() const { return __int_as_float(at.w); }
  __device__ Vector<float> to(const Body& j, float scale) const {
    // Only the conversion rounds, and it rounds the difference instead of the positions.
    return {static_cast<float>(j.at.x - at.x) * scale,
            static_cast<float>(j.at.y - at.y) * scale,
            static_cast<float>(j.at.z - at.z) * scale};
  }
};

/// Adds to one coordinate of a sum. Compensated (Kahan): subtracts from the next term what the last
/// addition rounded away.
template <Sums kSums, class Real>
struct Sum {
  Real value = 0;
  Real excess = 0;

  __device__ void add(Real term) {
    if constexpr (kSums == Sums::plain) {
      value += term;
    } else {
      const Real corrected = term - excess;
      const Real next = value + corrected;
      excess = (next - value) - corrected;
      value = next;
    }
  }
};

namespace {

constexpr int kBlock = 256;
constexpr int kBodies = 2;  // bodies per thread
constexpr int kUnroll = 16;

/// Step 03's kernel. bodies and accelerations (x, y, z, 0): length count. Shared memory: one source
/// per thread.
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
        const Vector<Real> r = body[b].to(tile[k], scale);
        const Real inverse =
            rsqrt(static_cast<Real>(softeningSquared) + r.x * r.x + r.y * r.y + r.z * r.z);
        const Real s = (tile[k].mass() * inverse) * (inverse * inverse);
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

/// Returns the largest error that rounded positions add to a force, relative to the lengths of its
/// terms. The nearest two bodies decide, and the softening limits their distance from below.
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
               [[maybe_unused]] int repeats) {
  const int count = bodies.count();
  const double largest = largestCoordinate(bodies);
  const float scale = static_cast<float>(std::exp2(std::ceil(std::log2(largest / kFixedRange))));
  std::vector<Body<kPositions>> host(count);
  for (int i = 0; i < count; ++i) host[i].set(bodies.positions[i], scale);
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

}  // namespace nbody::inline NBODY_PRECISION::unrolled
