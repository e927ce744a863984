#include <algorithm>
#include <utility>

#include "03_unrolled/study/issue.hpp"
#include "cuda/cuda.hpp"
#include "cuda/launch.hpp"

namespace nbody::inline NBODY_PRECISION::unrolled {

// Loops of straight-line arithmetic that show what keeps a scheduler from issuing an instruction in
// every cycle. Some have one kind of instruction, with operands in different orders. The others are
// step 03's inner loop with one change each.

constexpr int kBlock = 512;  // one block per multiprocessor: 4 warps on each of its schedulers
constexpr int kTile = 256;  // sources in shared memory

// --- Loops of one kind of instruction.

/// The instructions of an operand loop. x, y and sum are 12 registers each.
enum class Mix {
  scale,  ///< sum * s + t, the same s and t for all
  shared,  ///< x * s + sum
  square,  ///< x * x + sum
  product,  ///< x * y + sum
  add,  ///< sum + x
  multiply,  ///< sum * x
  productRoot,  ///< product, with a reciprocal square root instead of one of 12
  addRoot,  ///< add, with the same reciprocal square root
  productLoad,  ///< product, and after every 12 a load of four x from shared memory
  addLoad,  ///< add, with the same loads
  productAdd,  ///< product and add in turn
  multiplyAdd,  ///< multiply and add in turn
};

constexpr int kRegisters = 12;
constexpr int kOperandUnroll = 16;

/// Returns which x or y the instruction for sum n uses in copy u of the unrolled loop. Each seed
/// has other strides, so that the compiler places the registers differently.
__host__ __device__ constexpr int operand(int seed, int n, int u, int which) {
  constexpr int kStrides[] = {1, 5, 7, 11};  // without a common divisor with 12
  const int stride = kStrides[(seed >> (2 * which)) % 4];
  const int shift = (seed >> (4 + which)) % 2 ? 1 + 4 * which : 0;
  return (n * stride + u * shift + 3 * which) % kRegisters;
}

template <Mix kMix>
constexpr bool kHasRoots = kMix == Mix::productRoot || kMix == Mix::addRoot;
template <Mix kMix>
constexpr bool kHasLoads = kMix == Mix::productLoad || kMix == Mix::addLoad;

/// Uses intrinsics, because the compiler would move a product that does not change out of the loop.
template <Mix kMix>
__device__ inline float combined(int n, float sum, float x, float y, float s, float t) {
  if (kHasRoots<kMix> && n == 0) return rsqrtf(sum);
  switch (kMix) {
    case Mix::scale:
      return __fmaf_rn(sum, s, t);
    case Mix::shared:
      return __fmaf_rn(x, s, sum);
    case Mix::square:
      return __fmaf_rn(x, x, sum);
    case Mix::product:
    case Mix::productRoot:
    case Mix::productLoad:
      return __fmaf_rn(x, y, sum);
    case Mix::add:
    case Mix::addRoot:
    case Mix::addLoad:
      return sum + x;
    case Mix::multiply:
      return sum * x;
    case Mix::productAdd:
      return n % 2 ? __fmaf_rn(x, y, sum) : sum + x;
    case Mix::multiplyAdd:
      return n % 2 ? sum * x : sum + x;
  }
  return 0;
}

/// Each thread runs kRegisters chains of iterations * kOperandUnroll instructions. One block per
/// multiprocessor. `cycles`: one per block, from the first warp's start to the last one's end.
template <Mix kMix, int kSeed>
__global__ void __launch_bounds__(kBlock, 1)
    operandLoop(const float4* values, int iterations, float* sums, long long* cycles) {
  __shared__ float4 tile[kTile];
  if (threadIdx.x < kTile) tile[threadIdx.x] = values[threadIdx.x];
  float sum[kRegisters], x[kRegisters], y[kRegisters];
  for (int n = 0; n < kRegisters; ++n) {
    const float4 v = values[(threadIdx.x + 7 * n) % kTile];
    sum[n] = v.x;
    x[n] = v.y;
    y[n] = v.z;
  }
  const float s = values[threadIdx.x % kTile].w, t = values[threadIdx.x / 2].w;
  __syncthreads();
  const long long first = clock64();
#pragma unroll 1
  for (int k = 0; k < iterations; ++k) {
    const float4* source = &tile[kHasLoads<kMix> ? k * kOperandUnroll % kTile : 0];
#pragma unroll
    for (int u = 0; u < kOperandUnroll; ++u) {
#pragma unroll
      for (int n = 0; n < kRegisters; ++n)
        sum[n] =
            combined<kMix>(n, sum[n], x[operand(kSeed, n, u, 0)], y[operand(kSeed, n, u, 1)], s, t);
      if (kHasLoads<kMix>) {
        const float4 v = source[u];
        x[(4 * u) % kRegisters] = v.x;
        x[(4 * u + 1) % kRegisters] = v.y;
        x[(4 * u + 2) % kRegisters] = v.z;
        x[(4 * u + 3) % kRegisters] = v.w;
      }
    }
  }
  float all = 0;
  for (int n = 0; n < kRegisters; ++n) all += sum[n] + x[n];
  sums[blockIdx.x * kBlock + threadIdx.x] = all;
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - first;
}

// --- Step 03's inner loop.

/// A change of step 03's interaction.
enum class Change {
  none,
  productForRoot,  ///< a product instead of the reciprocal square root
  addsForSums,  ///< three additions instead of the multiply-adds that add the pull
  noMass,  ///< without the source's mass: one product less
  swapped,  ///< r * s instead of s * r
  rootAhead,  ///< computes the root of the next source before it adds this one's pull
};

template <Change kChange>
__device__ inline float rootOf(float distanceSquared, float softeningSquared) {
  return kChange == Change::productForRoot ? distanceSquared * softeningSquared
                                           : rsqrtf(distanceSquared);
}

template <Change kChange>
__device__ inline void addPull(float3& sum, float3 r, float mass, float inverse) {
  const float s = (kChange == Change::noMass ? inverse : mass * inverse) * (inverse * inverse);
  if (kChange == Change::addsForSums) sum = {sum.x + s, sum.y + s, sum.z + s};
  else if (kChange == Change::swapped) sum = {r.x * s + sum.x, r.y * s + sum.y, r.z * s + sum.z};
  else sum = {sum.x + s * r.x, sum.y + s * r.y, sum.z + s * r.z};
}

constexpr int kForceUnroll = 16;

/// Step 03's inner loop over a tile that stays in shared memory, with `kBodies` bodies per thread.
template <Change kChange, int kBodies>
__global__ void __launch_bounds__(kBlock, 1) forceLoop(const float4* values,
                                                       int iterations,
                                                       float softeningSquared,
                                                       float* sums,
                                                       long long* cycles) {
  __shared__ float4 tile[kTile];
  if (threadIdx.x < kTile) tile[threadIdx.x] = values[threadIdx.x];
  float4 body[kBodies];
  float3 sum[kBodies] = {}, ahead[kBodies] = {};
  float inverse[kBodies] = {};
  for (int b = 0; b < kBodies; ++b) body[b] = values[(threadIdx.x + 7 * b) % kTile];
  float aheadMass = 0;
  __syncthreads();
  const long long first = clock64();
#pragma unroll 1
  for (int k = 0; k < iterations; ++k) {
    const float4* source = &tile[k * kForceUnroll % kTile];
#pragma unroll
    for (int u = 0; u < kForceUnroll; ++u) {
      const float4 j = source[u];
#pragma unroll
      for (int b = 0; b < kBodies; ++b) {
        const float3 r = {j.x - body[b].x, j.y - body[b].y, j.z - body[b].z};
        const float distanceSquared = softeningSquared + r.x * r.x + r.y * r.y + r.z * r.z;
        const float root = rootOf<kChange>(distanceSquared, softeningSquared);
        if (kChange == Change::rootAhead) {
          addPull<kChange>(sum[b], ahead[b], aheadMass, inverse[b]);
          ahead[b] = r;
          inverse[b] = root;
        } else {
          addPull<kChange>(sum[b], r, j.w, root);
        }
      }
      aheadMass = j.w;
    }
  }
  float all = aheadMass;
  for (int b = 0; b < kBodies; ++b) all += sum[b].x + sum[b].y + sum[b].z + inverse[b] * ahead[b].x;
  sums[blockIdx.x * kBlock + threadIdx.x] = all;
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - first;
}

namespace {

constexpr int kIterations = 2000;
constexpr int kWarpsPerScheduler = kBlock / 32 / 4;

const char* const kMixes[] = {"sum*s+t",
                              "x*s+sum",
                              "x*x+sum",
                              "x*y+sum",
                              "sum+x",
                              "sum*x",
                              "x*y+sum, roots",
                              "sum+x, roots",
                              "x*y+sum, loads",
                              "sum+x, loads",
                              "x*y+sum and sum+x",
                              "sum*x and sum+x"};
const char* const kChanges[] = {"step 03",
                                "a product for the root",
                                "additions for the pull's multiply-adds",
                                "no mass",
                                "operands swapped",
                                "root taken ahead"};

template <class T>
T medianOf(std::vector<T> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Launches loops, one block per multiprocessor, and collects their times.
class Bench {
 public:
  Bench(int multiprocessors, int repeats)
      : blocks_(multiprocessors),
        repeats_(repeats),
        sums_(static_cast<std::size_t>(multiprocessors) * kBlock, "sums"),
        cycles_(multiprocessors, "cycles") {
    std::vector<float4> values(kTile);
    for (int i = 0; i < kTile; ++i) values[i] = {0.1f + i, 1.0f + i, 0.5f * i, 1.0f / (i + 1)};
    values_.upload(values);
  }

  template <Mix kMix, int... kSeeds>
  void addOperands(std::integer_sequence<int, kSeeds...>) {
    (add("operandLoop",
         {static_cast<int>(kMix), kSeeds},
         kMixes[static_cast<int>(kMix)],
         [&] {
           operandLoop<kMix, kSeeds><<<blocks_, kBlock, 0, stream()>>>(
               values_.data(), kIterations, sums_.data(), cycles_.data());
         }),
     ...);
  }

  template <Change... kChange>
  void addForces() {
    (addForce<kChange, 2>(), ...);
    (addForce<kChange, 4>(), ...);
  }

  std::vector<IssueLoop> loops;

 private:
  template <Change kChange, int kBodies>
  void addForce() {
    add("forceLoop",
        {static_cast<int>(kChange), kBodies},
        std::string(kChanges[static_cast<int>(kChange)]) + ", K = " + std::to_string(kBodies),
        [&] {
          forceLoop<kChange, kBodies><<<blocks_, kBlock, 0, stream()>>>(
              values_.data(), kIterations, 1e-4f, sums_.data(), cycles_.data());
        });
  }

  template <class Launch>
  void add(const std::string& kernel,
           std::vector<int> arguments,
           const std::string& what,
           const Launch& launch) {
    std::vector<long long> times;
    for (int run = 0; run <= repeats_; ++run) {  // run 0 loads the code, uncounted
      launch();
      CUDA_CHECK(cudaGetLastError());
      const long long median = medianOf(cycles_.download());
      if (run > 0) times.push_back(median);
    }
    loops.push_back(
        {kernel, std::move(arguments), what, kIterations, kWarpsPerScheduler, medianOf(times)});
  }

  unsigned blocks_;
  int repeats_;
  DeviceArray<float4> values_{kTile, "values"};
  DeviceArray<float> sums_;
  DeviceArray<long long> cycles_;
};

}  // namespace

std::vector<IssueLoop> measureLoops(int repeats) {
  Bench bench(multiprocessors(), repeats);
  using One = std::integer_sequence<int, 0>;
  using Few = std::integer_sequence<int, 0, 6, 25, 49>;
  using Many = std::integer_sequence<int, 0, 1, 4, 6, 9, 16, 25, 35, 39, 49, 54, 60>;
  bench.addOperands<Mix::scale>(One{});
  bench.addOperands<Mix::shared>(Few{});
  bench.addOperands<Mix::square>(Few{});
  bench.addOperands<Mix::product>(Many{});
  bench.addOperands<Mix::add>(Few{});
  bench.addOperands<Mix::multiply>(Few{});
  bench.addOperands<Mix::productRoot>(Few{});
  bench.addOperands<Mix::addRoot>(Few{});
  bench.addOperands<Mix::productLoad>(Few{});
  bench.addOperands<Mix::addLoad>(Few{});
  bench.addOperands<Mix::productAdd>(Few{});
  bench.addOperands<Mix::multiplyAdd>(Few{});
  bench.addForces<Change::none,
                  Change::productForRoot,
                  Change::addsForSums,
                  Change::noMass,
                  Change::swapped,
                  Change::rootAhead>();
  return bench.loops;
}

}  // namespace nbody::inline NBODY_PRECISION::unrolled
