/// \file
/// Local expansions: from all far sources of a target (M2L), then handed down from large targets to small
/// ones (L2L).
#pragma once

#include "10_fast_multipole/lists.cuh"

namespace nbody::fmm {

constexpr int kFarWarps = 2;  ///< of a block
constexpr int kFarBatch = 16;  ///< targets that a warp takes at once
/// Numbers between one lane's expansion and the next in shared memory: odd, so that lanes meet in no bank.
template <int P>
constexpr int kLocalStride = kLocals<P> / 2 * 2 + 1;

/// A warp's shared memory: records of its lanes' sources, then what they do.
template <int P>
union FarMemory {
  real4 records[kLanes * kRecord<P> / 4];
  real locals[kLanes * kLocalStride<P>];
};

/// A warp takes up to kFarBatch targets of \p level at once. Their sources, one after the other, are a lane each.
template <int P>
__device__ inline void sumFar(const Tree& tree, const Expansions& f, const Lists& lists,
                              real softeningSquared, int level, FarMemory<P>& own) {
  constexpr int kParts = kRecord<P> / 4;
  constexpr int kPasses = (kLocals<P> + kLanes - 1) / kLanes;
  const int lane = threadIdx.x % kLanes;
  const int targets = lists.state->targets[level];
  const int* slots = lists.targets + std::size_t(level) * lists.slotCount;
  const int warps = gridDim.x * kFarWarps;
  // Few targets: fewer in a batch, so that every warp has one.
  const int batch = max(1, min(kFarBatch, targets / warps));
  for (int first = batch * (blockIdx.x * kFarWarps + threadIdx.x / kLanes); first < targets;
       first += batch * warps) {
    const int held = min(batch, targets - first);
    const int slot = lane < held ? slots[first + lane] : 0;
    const Chain chain = lane < held ? lists.far[slot] : Chain{0, 0};
    const real4 centre = f.centres[slot];
    const real unit = unitOf(tree.cells, slot);
    int end = chain.count;
    for (int step = 1; step < kLanes; step *= 2) {
      const int before = __shfl_up_sync(kAllLanes, end, step);
      if (lane >= step) end += before;
    }
    const int total = __shfl_sync(kAllLanes, end, kLanes - 1);
    real sum[kPasses] = {};  // of the target at hand: components lane, lane + 32, ...
    int target = 0;  // at hand
    const auto store = [&] {
      const int to = __shfl_sync(kAllLanes, slot, target);
      for (int pass = 0; pass < kPasses; ++pass) {
        const int k = pass * kLanes + lane;
        if (k < kLocals<P>) f.locals[std::size_t(to) * kLocals<P> + k] = sum[pass];
        sum[pass] = 0;
      }
      ++target;
    };
    for (int begin = 0; begin < total; begin += kLanes) {
      const int place = begin + lane, count = min(kLanes, total - begin);
      int owner = 0;  // whose source it is: the number of targets whose sources end before it
      for (int step = kLanes / 2; step > 0; step /= 2)
        if (__shfl_sync(kAllLanes, end, owner + step - 1) <= place) owner += step;
      int left = place - __shfl_sync(kAllLanes, end - chain.count, owner);
      int chunk = __shfl_sync(kAllLanes, chain.first, owner);
      int source = 0;
      if (lane < count) {
        for (; left >= kChunk; left -= kChunk) chunk = lists.next[chunk];
        source = lists.sources[kChunk * chunk + left];
      }
      // All lanes together fetch the records, 16 bytes each: a lane that reads its record alone touches a line
      // of memory for each 16 bytes.
      const real4* records = reinterpret_cast<const real4*>(f.multipoles);
      __syncwarp();  // the last expansions are read
      for (int part = lane; part < kLanes * kParts; part += kLanes) {
        const int cell = part / kParts;
        const int from = __shfl_sync(kAllLanes, source, cell);
        if (cell < count) own.records[part] = records[std::size_t(from) * kParts + part % kParts];
      }
      __syncwarp();  // the records are there
      const real cx = __shfl_sync(kAllLanes, centre.x, owner), cy = __shfl_sync(kAllLanes, centre.y, owner),
                 cz = __shfl_sync(kAllLanes, centre.z, owner), cu = __shfl_sync(kAllLanes, unit, owner);
      real local[kLocals<P> + 1];
      if (lane < count) {
        real m[kRecord<P>];
        const real4 from = own.records[lane * kParts];
        m[0] = from.w;
        unrolled<1, kParts>([&](auto q) {
          const real4 v = own.records[lane * kParts + q];
          m[4 * q] = v.x, m[4 * q + 1] = v.y, m[4 * q + 2] = v.z, m[4 * q + 3] = v.w;
        });
        const real perUnit = 1 / unitOf(tree.cells, source);
        const real x = (cx - from.x) * perUnit, y = (cy - from.y) * perUnit,
                   z = (cz - from.z) * perUnit;
        const real inverse =
            rsqrt(softeningSquared * (perUnit * perUnit) + x * x + y * y + z * z);
        localOf<P, P>(x, y, z, inverse, perUnit, m, local);
        rescale<P, 1, kLocals<P> + 1>(cu * perUnit, local);
      }
      __syncwarp();  // the records are read
      if (lane < count)
        unrolled<0, kLocals<P>>([&](auto k) { own.locals[lane * kLocalStride<P> + k] = local[k + 1]; });
      __syncwarp();  // the expansions are there
      for (int k = 0; k < count;) {
        const int targetEnd = __shfl_sync(kAllLanes, end, target) - begin;
        const int stop = min(targetEnd, count);
        for (; k < stop; ++k)
          for (int pass = 0; pass < kPasses; ++pass) {
            const int component = pass * kLanes + lane;
            if (component < kLocals<P>) sum[pass] += own.locals[k * kLocalStride<P> + component];
          }
        if (targetEnd <= count) store();
      }
    }
    while (target < held) store();  // the rest have no sources
  }
}

/// The far sources of all targets: those of large ones first, which have more.
/// Shared memory: FarMemory for each warp. Barriers: of warps alone.
template <int P>
__global__ void __launch_bounds__(kFarWarps* kLanes)
    farKernel(Tree tree, Expansions f, Lists lists, real softeningSquared) {
  __shared__ FarMemory<P> memory[kFarWarps];
  for (int level = lists.levels - 1; level >= 0; --level)
    sumFar<P>(tree, f, lists, softeningSquared, level, memory[threadIdx.x / kLanes]);
}

/// A thread for each target at \p level adds what the target around it has.
template <int P>
__global__ void downKernel(Tree tree, Expansions f, Lists lists, int level) {
  const int targets = lists.state->targets[level];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < targets; i += gridDim.x * blockDim.x) {
    const int slot = lists.targets[std::size_t(level) * lists.slotCount + i];
    const int around = lists.around[slot];
    if (around < 0) continue;
    const real4 from = f.centres[around], to = f.centres[slot];
    const real unit = unitOf(tree.cells, around), perUnit = 1 / unit;
    real local[kLocals<P> + 1], out[kLocals<P> + 1] = {};
    const real* source = f.locals + std::size_t(around) * kLocals<P>;
    unrolled<0, kLocals<P>>([&](auto k) { local[k + 1] = source[k]; });
    addLocal<P>((to.x - from.x) * perUnit, (to.y - from.y) * perUnit, (to.z - from.z) * perUnit, local,
                out);
    rescale<P, 1, kLocals<P> + 1>(unitOf(tree.cells, slot) * perUnit, out);
    real* own = f.locals + std::size_t(slot) * kLocals<P>;
    unrolled<0, kLocals<P>>([&](auto k) { own[k] += out[k + 1]; });
  }
}

}  // namespace nbody::fmm
