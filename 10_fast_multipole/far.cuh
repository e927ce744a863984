/// \file
/// Local expansions from a target's far sources (M2L), passed from large targets to small (L2L).
#pragma once

#include <cuda_pipeline.h>

#include "10_fast_multipole/lists.cuh"

namespace nbody::fmm {

/// Blocks of one warp per multiprocessor, as many as registers allow without spills.
template <int P>
constexpr int kFarBlocks = sizeof(real) == 8 ? 8
                           : P < 4           ? 32
                           : P < 6           ? 16
                                             : 8;

/// Distance between the lanes' expansions in shared memory, odd so that lanes use different banks.
template <int P>
constexpr int kLocalStride = kLocals<P> / 2 * 2 + 1;

/// Shared memory: records of two chunks of sources, and at the end the lanes' expansions.
template <int P>
union FarMemory {
  real4 records[2][kLanes * kRecord<P> / 4];
  real locals[kLanes * kLocalStride<P>];
};

/// Starts to copy the records of the lanes' sources into shared memory, all lanes together, 16
/// bytes each. A lane that copied its record alone would touch a line of memory per 16 bytes. Lanes
/// without a source copy nothing, because many readers of one line wait for each other.
template <int P>
__device__ inline void fetchRecords(const Expansions& f, int source, int count, real4* records) {
  constexpr int kParts = kRecord<P> * sizeof(real) / sizeof(uint4);
  const auto* from = reinterpret_cast<const uint4*>(f.multipoles);
  auto* to = reinterpret_cast<uint4*>(records);
#pragma unroll
  for (int k = 0; k < kParts; ++k) {
    const int part = k * kLanes + threadIdx.x % kLanes, cell = part / kParts;
    const std::size_t slot = __shfl_sync(kAllLanes, source, cell);
    if (cell < count)
      __pipeline_memcpy_async(to + part, from + slot * kParts + part % kParts, sizeof(uint4));
  }
  __pipeline_commit();
}

/// Adds the pull of the source of \p record to \p sum, orders 1 to P from place 1 on, in the
/// target's unit.
/// \param ratio  the source's unit divided by the target's
template <int P>
__device__ inline void addSource(real4 target,
                                 real perUnit,
                                 real softeningSquared,
                                 const real4* record,
                                 real ratio,
                                 real* sum) {
  const real4 from = record[0];
  real m[kRecord<P>];
  m[0] = from.w;
  unrolled<1, kRecord<P> / 4>([&](auto q) {
    const real4 v = record[q];
    m[4 * q] = v.x, m[4 * q + 1] = v.y, m[4 * q + 2] = v.z, m[4 * q + 3] = v.w;
  });
  if constexpr (P > 2) rescale<P - 1, componentsBelow(2), componentsBelow(P)>(ratio, m);
  const real x = (target.x - from.x) * perUnit, y = (target.y - from.y) * perUnit,
             z = (target.z - from.z) * perUnit;
  const real inverse = rsqrt(softeningSquared * (perUnit * perUnit) + x * x + y * y + z * z);
  m2l<P>(x, y, z, inverse, perUnit, m, sum);
}

/// A block of one warp takes one target after the other, large ones first. Each lane has a source.
/// While a chunk of 32 sources is summed, the next one is being copied.
/// Shared memory: FarMemory. Barriers: of the warp only.
template <int P>
__global__ void __launch_bounds__(kLanes, kFarBlocks<P>)
    farKernel(Tree tree, Expansions f, Lists lists, real softeningSquared) {
  __shared__ FarMemory<P> own;
  const int lane = threadIdx.x;
  int level = lists.levels - 1, levelBegin = 0;
  if (lists.full()) return;
  while (true) {
    int taken = 0;
    if (lane == 0) taken = atomicAdd(&lists.state->nextFar, 1);
    taken = __shfl_sync(kAllLanes, taken, 0);
    while (level >= 0 && taken - levelBegin >= lists.state->targets[level])
      levelBegin += lists.state->targets[level--];
    if (level < 0) return;
    const int slot = lists.targets[std::size_t(level) * lists.slotCount + taken - levelBegin];
    const real4 centre = f.centres[slot];
    const real unit = unitOf(tree.cells, slot), perUnit = 1 / unit;
    Chain chain = lists.far[slot];
    const auto sourceOf = [&](int chunk, int count) {
      return lane < count ? lists.sources[kChunk * chunk + lane] : 0;
    };
    real sum[kLocals<P> + 1] = {};
    int source = sourceOf(chain.first, chain.count);
    fetchRecords<P>(f, source, chain.count, own.records[0]);
    for (int buffer = 0; chain.count > 0; chain.count -= kChunk, buffer ^= 1) {
      const real ratio = unitOf(tree.cells, source) * perUnit;
      if (chain.count > kChunk) {
        chain.first = lists.next[chain.first];
        source = sourceOf(chain.first, chain.count - kChunk);
      }
      fetchRecords<P>(f, source, chain.count - kChunk, own.records[buffer ^ 1]);
      __pipeline_wait_prior(1);
      __syncwarp();  // this chunk's records are written
      if (lane < chain.count)
        addSource<P>(centre,
                     perUnit,
                     softeningSquared,
                     own.records[buffer] + lane * (kRecord<P> / 4),
                     ratio,
                     sum);
      __syncwarp();  // and read
    }
    __pipeline_wait_prior(0);
    unrolled<0, kLocals<P>>([&](auto k) { own.locals[lane * kLocalStride<P> + k] = sum[k + 1]; });
    __syncwarp();  // the lanes' expansions are written
    for (int k = lane; k < kLocals<P>; k += kLanes) {
      real all = 0;
#pragma unroll 8
      for (int from = 0; from < kLanes; ++from) all += own.locals[from * kLocalStride<P> + k];
      f.locals[std::size_t(slot) * kLocals<P> + k] = all;
    }
    __syncwarp();  // and read
  }
}

/// A thread per target at \p level adds the expansion of the target around it.
template <int P>
__global__ void downKernel(Tree tree, Expansions f, Lists lists, int level) {
  const int targets = lists.state->targets[level];
  if (lists.full()) return;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < targets; i += gridDim.x * blockDim.x) {
    const int slot = lists.targets[std::size_t(level) * lists.slotCount + i];
    const int around = lists.around[slot];
    if (around < 0) continue;
    const real4 from = f.centres[around], to = f.centres[slot];
    const real unit = unitOf(tree.cells, around), perUnit = 1 / unit;
    real local[kLocals<P> + 1], out[kLocals<P> + 1] = {};
    const real* source = f.locals + std::size_t(around) * kLocals<P>;
    unrolled<0, kLocals<P>>([&](auto k) { local[k + 1] = source[k]; });
    l2l<P>((to.x - from.x) * perUnit,
           (to.y - from.y) * perUnit,
           (to.z - from.z) * perUnit,
           local,
           out);
    rescale<P, 1, kLocals<P> + 1>(unitOf(tree.cells, slot) * perUnit, out);
    real* own = f.locals + std::size_t(slot) * kLocals<P>;
    unrolled<0, kLocals<P>>([&](auto k) { own[k] += out[k + 1]; });
  }
}

}  // namespace nbody::fmm
