/// \file
/// Local expansions of targets: M2L from the far sources, and L2L from the target's parent.
#pragma once

#include <cuda_pipeline.h>

#include "10_fast_multipole/tuned/targets.cuh"

namespace nbody::inline NBODY_PRECISION::fmm::tuned {

/// Blocks of one warp per multiprocessor, as many as registers allow without spills.
template <int P>
constexpr int kFarBlocks = sizeof(real) == 8 ? 8
                           : P < 4           ? 32
                           : P < 6           ? 16
                                             : 8;

// --- M2L: a lane per source.

/// Distance between the lanes' expansions in shared memory, odd so that lanes use different banks.
template <int P>
constexpr int kLocalStride = kLocals<P> / 2 * 2 + 1;

/// Shared memory: multipoles of two chunks of sources, and at the end the lanes' expansions.
template <int P>
union FarMemory {
  real4 multipoles[2][kLanes * kMultipoleReals<P> / 4];
  real locals[kLanes * kLocalStride<P>];
};

#ifdef NBODY_GPU
using SharedAddress = unsigned;
__device__ inline SharedAddress sharedAddress(void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}
#else
using SharedAddress = char*;
__device__ inline SharedAddress sharedAddress(void* shared) { return static_cast<char*>(shared); }
#endif

/// Starts to copy 16 bytes into shared memory, if \p copies. __pipeline_memcpy_async() does the same,
/// but with it the compiler computes every shared address again: 100 of the 705 instructions per
/// chunk of sources.
__device__ inline void copyAsync(SharedAddress to, const void* from, bool copies) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800  // without asynchronous copies
  if (copies)
    *static_cast<uint4*>(__cvta_shared_to_generic(to)) = *static_cast<const uint4*>(from);
#elif defined(NBODY_GPU)
  asm volatile(
      "{ .reg .pred p; setp.ne.s32 p, %2, 0; @p cp.async.cg.shared.global [%0], [%1], 16; }" ::"r"(
          to),
      "l"(from),
      "r"(static_cast<int>(copies))
      : "memory");
#else
  if (copies) __pipeline_memcpy_async(to, from, sizeof(uint4));
#endif
}

/// Copies of sources' multipoles into shared memory, by all lanes together. A multipole has kParts
/// parts of 16 bytes, and there is a lane for each part of kAtOnce multipoles. A lane that copied a
/// multipole alone would touch a line of memory per 16 bytes.
template <int P>
struct MultipoleCopies {
  static constexpr int kParts = kMultipoleReals<P> * sizeof(real) / sizeof(uint4);
  static constexpr int kAtOnce = kLanes / kParts;
  const char* from;  ///< the lane's part of the first multipole in device memory
  SharedAddress to;  ///< and in shared memory
  int multipole;  ///< the lane's multipole; too large for lanes without one

  __device__ MultipoleCopies(const Expansions& f, void* shared) {
    const int lane = threadIdx.x % kLanes;
    from = reinterpret_cast<const char*>(f.multipoles) + lane % kParts * sizeof(uint4);
    to = sharedAddress(shared) + lane * sizeof(uint4);
    multipole = lane < kAtOnce * kParts ? lane / kParts : 2 * kLanes;
  }

  /// Starts to copy the multipoles of up to 32 sources, one per lane, into \p buffer 0 or 1.
  __device__ void fetch(int source, int count, int buffer) const {
    const int most = min(count, kLanes);
    const SharedAddress start = to + buffer * (kLanes * kParts * sizeof(uint4));
#pragma unroll
    for (int k = 0; k < kLanes; k += kAtOnce) {
      const unsigned cell = __shfl_sync(kAllLanes, static_cast<unsigned>(source), multipole + k);
      copyAsync(start + k * kParts * sizeof(uint4),
                from + static_cast<unsigned long long>(cell) * (kParts * sizeof(uint4)),
                multipole + k < most);
    }
    __pipeline_commit();
  }
};

/// Adds the pull of the source of \p multipole to \p sum, orders 1 to P from place 1 on, in the
/// target's unit.
/// \param ratio  the source's unit divided by the target's
template <int P>
__device__ inline void addSource(real4 target,
                                 real perUnit,
                                 real softeningSquared,
                                 const real4* multipole,
                                 real ratio,
                                 real* sum) {
  const real4 from = multipole[0];
  real m[kMultipoleReals<P>];
  m[0] = from.w;
  unrolled<1, kMultipoleReals<P> / 4>([&](auto q) {
    const real4 v = multipole[q];
    m[4 * q] = v.x, m[4 * q + 1] = v.y, m[4 * q + 2] = v.z, m[4 * q + 3] = v.w;
  });
  if constexpr (P > 2) rescale<P - 1, componentsBelow(2), componentsBelow(P)>(ratio, m);
  const real x = (target.x - from.x) * perUnit, y = (target.y - from.y) * perUnit,
             z = (target.z - from.z) * perUnit;
  const real inverse = rsqrt(softeningSquared * (perUnit * perUnit) + x * x + y * y + z * z);
  m2l<P>(x, y, z, inverse, perUnit, m, sum);
}

// --- L2L: a lane per component of the target's expansion.

/// Table of places: of[c][k] is the place of the sum of the multi-indices at places c and k + 1.
struct SumPlaces {
  static constexpr int kMostOrder = 6;
  unsigned char of[componentsBelow(kMostOrder)][componentsBelow(kMostOrder + 1)] = {};

  constexpr SumPlaces() {
    const MultiIndices<kMostOrder> all;
    for (int c = 0; c < componentsBelow(kMostOrder); ++c)
      for (int k = 0; k + 1 < componentsBelow(kMostOrder + 1); ++k)
        if (all.order[c] + all.order[k + 1] <= kMostOrder)
          of[c][k] = static_cast<unsigned char>(
              placeOf(all.i[c] + all.i[k + 1], all.j[c] + all.j[k + 1], all.k[c] + all.k[k + 1]));
  }
};
static __device__ const SumPlaces theSumPlaces = SumPlaces();

/// Shared memory with which a warp moves the expansion of its target's parent. With the other l2l(),
/// by a thread per target, a kernel used only 3% of the issue slots.
template <int P>
struct ParentExpansion {
  real local[kLocals<P> + 1];  ///< from place 1 on
  real powers[componentsBelow(P)];  ///< of the way to the target's centre, in the parent's unit
  unsigned char places[componentsBelow(P)][(kLocals<P> + 3) / 4 * 4];

  __device__ void loadPlaces() {
    for (int c = 0; c < componentsBelow(P); ++c)
      for (int k = threadIdx.x % kLanes; k < kLocals<P>; k += kLanes)
        places[c][k] = theSumPlaces.of[c][k];
  }
  __device__ void loadLocal(const Targets& targets, int number) {
    for (int k = threadIdx.x % kLanes; k < kLocals<P>; k += kLanes)
      local[k + 1] = targets.locals[std::size_t(number) * kLocalCapacity<P> + k];
  }
  __device__ void setPowers(const Target& parent, real4 to) {
    const real per = 1 / parent.unit;
    real v[componentsBelow(P)];
    fmm::powers<P - 1>((to.x - parent.centre.x) * per,
                              (to.y - parent.centre.y) * per,
                              (to.z - parent.centre.z) * per,
                              v);
    unrolled<0, componentsBelow(P)>([&](auto c) {
      if (threadIdx.x % kLanes == c % kLanes) powers[c] = v[c];
    });
  }
  /// Returns component k + 1 about the target's centre.
  /// \param ratio  the target's unit divided by the parent's
  __device__ real l2l(int k, real ratio) const {
    int order = 1;
    real scale = ratio, sum = 0;
    for (; componentsBelow(order + 1) <= k + 1; ++order) scale *= ratio;
    const int terms = componentsBelow(P + 1 - order);
#pragma unroll 5
    for (int c = 0; c < terms; ++c) sum += powers[c] * local[places[c][k]];
    return scale * sum;
  }
};

// --- The kernel

/// Sources of a target, 32 at a time. The numbers of a chunk's sources are read while the chunk
/// before is being copied, and the chunk before that is summed.
class ChainReader {
 public:
  int count;  ///< sources from the present chunk on; below 1: the chain has ended
  int source;  ///< the lane's, in the present chunk; 0: none

  __device__ ChainReader(const Lists& lists, Chain chain)
      : count(chain.count), sources_(lists.sources), nextOf_(lists.next) {
    look(chain.first);
  }
  __device__ void advance() {
    count -= kChunk;
    look(next_);
  }

 private:
  __device__ void look(int chunk) {
    const int lane = threadIdx.x % kLanes;
    source = lane < count ? sources_[kChunk * chunk + lane] : 0;
    next_ = count > kChunk ? nextOf_[chunk] : 0;
  }

  int next_;
  const int *sources_, *nextOf_;
};

template <int P>
struct ExpansionMemory {
  FarMemory<P> far;
  ParentExpansion<P> parent;
};

/// M2L and L2L: a block of one warp takes one target of \p level after the other. Parents must be
/// complete. The next target's list is looked up while this one's sources are summed.
/// Shared memory: ExpansionMemory. Barriers: of the warp only.
template <int P>
__global__ void __launch_bounds__(kLanes, kFarBlocks<P>)
    m2lKernel(Expansions f, Targets targets, Lists lists, real softeningSquared, int level) {
  __shared__ __align__(16) unsigned char memory[sizeof(ExpansionMemory<P>)];
  ExpansionMemory<P>& own = *reinterpret_cast<ExpansionMemory<P>*>(memory);
  const int lane = threadIdx.x;
  if (lists.crowded()) return;  // lists of the next level are still being made
  const int count = lists.state->targets[level];
  int taken = take(&lists.state->nextFar[level]);
  if (taken >= count) return;
  own.parent.loadPlaces();
  const MultipoleCopies<P> copies(f, own.far.multipoles);
  const auto chainOf = [&](int taken) {
    return taken < count ? targets.lists[targets.at(level, taken)].far : Chain{0, 0};
  };
  ChainReader chain(lists, chainOf(taken));
  while (taken < count) {
    copies.fetch(chain.source, chain.count, 0);
    real unit = f.units[chain.source];
    chain.advance();
    const int following = take(&lists.state->nextFar[level]);
    const Chain nextChain = chainOf(following);
    const int number = targets.at(level, taken);
    const Target& target = targets.of[number];
    const real4 centre = target.centre;
    const real perUnit = 1 / target.unit;
    const int parent = target.parent;
    real sum[kLocals<P> + 1] = {};
    if (parent >= 0) own.parent.loadLocal(targets, parent);
    for (int buffer = 0; chain.count > -kChunk; buffer ^= 1) {
      const int present = chain.count + kChunk;  // sources from this chunk on
      const real ratio = unit * perUnit;
      copies.fetch(chain.source, chain.count, buffer ^ 1);
      unit = f.units[chain.source];
      chain.advance();
      __pipeline_wait_prior(1);
      __syncwarp();  // this chunk's multipoles are written
      if (lane < present)
        addSource<P>(centre,
                     perUnit,
                     softeningSquared,
                     own.far.multipoles[buffer] + lane * (kMultipoleReals<P> / 4),
                     ratio,
                     sum);
      __syncwarp();  // and read
    }
    __pipeline_wait_prior(0);
    chain = ChainReader(lists, nextChain);
    unrolled<0, kLocals<P>>(
        [&](auto k) { own.far.locals[lane * kLocalStride<P> + k] = sum[k + 1]; });
    real shrink = 1;
    if (parent >= 0) {
      own.parent.setPowers(targets.of[parent], centre);
      shrink = target.unit / targets.of[parent].unit;
    }
    __syncwarp();  // the lanes' expansions and the powers are written
    for (int k = lane; k < kLocals<P>; k += kLanes) {
      real all = 0;
#pragma unroll 8
      for (int from = 0; from < kLanes; ++from) all += own.far.locals[from * kLocalStride<P> + k];
      if (parent >= 0) all += own.parent.l2l(k, shrink);
      targets.locals[std::size_t(number) * kLocalCapacity<P> + k] = all;
    }
    __syncwarp();  // and read
    taken = following;
  }
}

}  // namespace nbody::inline NBODY_PRECISION::fmm::tuned
