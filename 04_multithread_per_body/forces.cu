/// \file
/// Step 04, several threads per body: each row is split into segments; small N then fills the GPU.
///
/// Parent: 03_unrolled. Source: GPU Gems 3, chapter 31, section 31.4.1. Predicted limiter: issue,
/// as in step 03, but down to a smaller N; below, the launch and one pass over the sources.
#include "driver/step.hpp"

namespace nbody {

/// Adds the pull of body j to the acceleration of body i (listing 31-1): 20 FLOP by the chapter's
/// count. Bodies are x, y, z, mass. The pull of a body on itself is 0, because softeningSquared is
/// above 0.
__device__ inline real3 interaction(real4 bodyI,
                                    real4 bodyJ,
                                    real3 acceleration,
                                    real softeningSquared) {
  // r_ij  [3 FLOP]
  const real3 r = {bodyJ.x - bodyI.x, bodyJ.y - bodyI.y, bodyJ.z - bodyI.z};
  // |r_ij|^2 + epsilon^2  [6 FLOP]. Epsilon first: the sum is then three fused multiply-adds.
  const real distanceSquared = softeningSquared + r.x * r.x + r.y * r.y + r.z * r.z;
  // m_j / distance^3  [5 FLOP]. Cubing the root, where the listing takes it of the sixth power,
  // cannot overflow for close bodies; the products in brackets do not wait for each other.
  const real inverse = rsqrt(distanceSquared);
  const real s = (bodyJ.w * inverse) * (inverse * inverse);
  // a_i + s r_ij  [6 FLOP]
  return {acceleration.x + s * r.x, acceleration.y + s * r.y, acceleration.z + s * r.z};
}

/// q = blockDim.x lanes compute the accelerations of kBodies bodies, each from its segment of a
/// tile. Blocks along y take a chunk of the sources each and add to accelerations that are 0.
/// \param bodies         x, y, z, mass; length count
/// \param accelerations  out: x, y, z, 0; length count
/// Shared memory: a tile of the sources that its threads bring. Barriers: two a tile.
template <int kUnroll, int kBodies>
__global__ void forcesKernel(const real4* __restrict__ bodies,
                             int count,
                             real softeningSquared,
                             real4* __restrict__ accelerations) {
  const int stride = blockDim.y;  // from one of a thread's bodies to the next
  const int i = blockIdx.x * stride * kBodies + threadIdx.y;  // the first of them
  real4 body[kBodies];
  real3 acceleration[kBodies] = {};
  for (int b = 0; b < kBodies; ++b) body[b] = bodies[min(i + b * stride, count - 1)];
  const int sourceChunk = (count + gridDim.y - 1) / gridDim.y;
  const int end = min(count, sourceChunk * (static_cast<int>(blockIdx.y) + 1));
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  int j = sourceChunk * blockIdx.y + thread;
  real4 next[sourcesPerThread(kBodies)];
  auto load = [&] {
    for (int l = 0; l < sourcesPerThread(kBodies); ++l, j += blockDim.x * stride)
      next[l] = j < end ? bodies[j] : real4{0, 0, 0, 0};  // no mass: no pull
  };
  load();
  real4* tile = dynamicShared<real4>();
  const int segment = sourcesPerThread(kBodies) * stride;  // sources of a tile that a thread sums
  for (int first = sourceChunk * blockIdx.y; first < end; first += segment * blockDim.x) {
    for (int l = 0, slot = thread; l < sourcesPerThread(kBodies); ++l, slot += blockDim.x * stride)
      tile[slot + slot / segment] = next[l];  // padded by one: q lanes read q different banks
    __syncthreads();  // the tile is whole before any thread reads it
    load();  // under way while this tile is summed
#pragma unroll kUnroll
    for (int k = 0; k < segment; ++k) {
      const real4 source = tile[threadIdx.x * (segment + 1) + k];
      for (int b = 0; b < kBodies; ++b)
        acceleration[b] = interaction(body[b], source, acceleration[b], softeningSquared);
    }
    __syncthreads();  // every thread has read the tile before the next one replaces it
  }
  for (int b = 0; b < kBodies; ++b) {
    real3 a = acceleration[b];
    for (unsigned lane = blockDim.x / 2; lane > 0; lane /= 2) {
      a.x += __shfl_xor_sync(0xffffffffu, a.x, lane);
      a.y += __shfl_xor_sync(0xffffffffu, a.y, lane);
      a.z += __shfl_xor_sync(0xffffffffu, a.z, lane);
    }
    if (i + b * stride >= count || threadIdx.x != 0) continue;
    if (gridDim.y > 1) atomicAdd(&accelerations[i + b * stride], real4{a.x, a.y, a.z, 0});
    else accelerations[i + b * stride] = {a.x, a.y, a.z, 0};
  }
}

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations) {
  const int count = static_cast<int>(bodies.size());
  const unsigned block = options.block;
  const int bodiesPerThread = options.bodiesPerThread;
  const unsigned q = options.threadsPerBody;
  const unsigned chunks = options.blocksPerBody;
  auto kernel = select<Unrolls, BodyCounts>(options.unroll, bodiesPerThread, [](auto u, auto k) {
    return &forcesKernel<u.value, k.value>;
  });
  if (chunks > 1) accelerations.clear();
  const dim3 grid(blocksFor(count, block / q * bodiesPerThread), chunks);
  const LaunchShape shape(
      grid, dim3(q, block / q), (sourcesPerThread(bodiesPerThread) * block + q) * sizeof(real4));
  launch(shape, kernel, bodies.data(), count, softeningSquared, accelerations.data());
}

}  // namespace nbody
