/// \file
/// Step 04 tuned: the next tile is loaded while one is summed, two sources a thread, and padded.
///
/// Parent: forces.cu beside it. Predicted limiter: issue, down to a smaller N.
/// Source: GPU Gems 3, chapter 31, with the figures and listings that the README names.
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

/// Computes the acceleration of every body.
/// \param bodies         x, y, z, mass; length count
/// \param accelerations  out: x, y, z, 0; length count
/// Shared memory: kSourcesPerThread a thread and one a lane. Barriers: two a tile.
template <int kUnroll, int kBodies>
__global__ void __launch_bounds__(largestBlock(kBodies), 1)  // registers rather than many blocks
    forcesKernel(const real4* __restrict__ bodies,
                 int count,
                 int lanes,
                 real softeningSquared,
                 real4* __restrict__ accelerations) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / lanes;
  real4 body[kBodies];
  real3 acceleration[kBodies] = {};
  for (int b = 0; b < kBodies; ++b) body[b] = bodies[min(i * kBodies + b, count - 1)];
  const int chunk = (count + gridDim.y - 1) / gridDim.y;
  const int end = min(count, chunk * (static_cast<int>(blockIdx.y) + 1));
  int j = chunk * blockIdx.y + threadIdx.x;
  real4 next[kSourcesPerThread];
  auto load = [&] {
    for (int l = 0; l < kSourcesPerThread; ++l, j += blockDim.x)
      next[l] = j < end ? bodies[j] : real4{0, 0, 0, 0};  // no mass: no pull
  };
  load();
  extern __shared__ real4 tile[];
  const int segment = kSourcesPerThread * blockDim.x / lanes;  // sources of a tile that a lane sums
  for (int first = chunk * blockIdx.y; first < end; first += segment * lanes) {
    for (int l = 0, slot = threadIdx.x; l < kSourcesPerThread; ++l, slot += blockDim.x)
      tile[slot + slot / segment] = next[l];  // padded by one: the lanes read different banks
    __syncthreads();  // the tile is whole before any thread reads it
    load();  // under way while this tile is summed
#pragma unroll kUnroll
    for (int k = 0; k < segment; ++k) {
      const real4 source = tile[threadIdx.x % lanes * (segment + 1) + k];
      for (int b = 0; b < kBodies; ++b)
        acceleration[b] = interaction(body[b], source, acceleration[b], softeningSquared);
    }
    __syncthreads();  // every thread has read the tile before the next one replaces it
  }
  for (int b = 0; b < kBodies; ++b) {
    for (int lane = lanes / 2; lane > 0; lane /= 2) {
      acceleration[b].x += __shfl_xor_sync(0xffffffffu, acceleration[b].x, lane);
      acceleration[b].y += __shfl_xor_sync(0xffffffffu, acceleration[b].y, lane);
      acceleration[b].z += __shfl_xor_sync(0xffffffffu, acceleration[b].z, lane);
    }
    if (threadIdx.x % lanes != 0 || i * kBodies + b >= count) continue;
    if (gridDim.y > 1) atomicAdd(&accelerations[i * kBodies + b], padded(acceleration[b]));
    else accelerations[i * kBodies + b] = padded(acceleration[b]);
  }
}

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations) {
  const int count = static_cast<int>(bodies.size());
  const unsigned block = options.block;
  auto kernel = options.select([](auto u, auto k) { return &forcesKernel<u.value, k.value>; });
  const int lanes = options.threadsPerBody;
  const dim3 blocks(blocksFor(count, block / lanes * options.bodiesPerThread),
                    options.blocksPerBody);
  if (blocks.y > 1) accelerations.clear();  // the blocks add to them
  kernel<<<blocks, block, (kSourcesPerThread * block + lanes) * sizeof(real4), stream()>>>(
      bodies.data(), count, lanes, softeningSquared, accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace nbody
