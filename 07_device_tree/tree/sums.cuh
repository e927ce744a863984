/// \file
/// Boxes and moments of bodies, added up over lanes and blocks.
#pragma once

#include <cstring>
#include <limits>

#include "cuda/cuda.hpp"

namespace nbody::inline NBODY_PRECISION::tree {

constexpr real kFar = std::numeric_limits<real>::max();

struct Bounds {
  real3 lower, upper;

  __device__ Bounds operator+(const Bounds& b) const {
    return {{min(lower.x, b.lower.x), min(lower.y, b.lower.y), min(lower.z, b.lower.z)},
            {max(upper.x, b.upper.x), max(upper.y, b.upper.y), max(upper.z, b.upper.z)}};
  }
};

__device__ inline Bounds noBounds() { return {{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}}; }

__device__ inline Bounds boundsOf(real4 body) {
  return {{body.x, body.y, body.z}, {body.x, body.y, body.z}};
}

/// Box and mass of some bodies, and the sums of m r and m r r, with r from an origin. FP64, because
/// this is little work.
struct CellSums {
  Bounds box;
  double mass, x, y, z, xx, yy, zz, xy, xz, yz;

  __device__ CellSums operator+(const CellSums& s) const {
    return {box + s.box,
            mass + s.mass,
            x + s.x,
            y + s.y,
            z + s.z,
            xx + s.xx,
            yy + s.yy,
            zz + s.zz,
            xy + s.xy,
            xz + s.xz,
            yz + s.yz};
  }
};

__device__ inline CellSums noSums() { return {noBounds(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}; }

/// Returns the sums of one point of mass \p m at x, y, z from the origin.
__device__ inline CellSums sumsOf(const Bounds& box, double m, double x, double y, double z) {
  return {box,
          m,
          m * x,
          m * y,
          m * z,
          m * x * x,
          m * y * y,
          m * z * z,
          m * x * y,
          m * x * z,
          m * y * z};
}

/// Returns the mask of lanes of this lane's team; kLanesOfTeam divides 32.
template <int kLanesOfTeam>
__device__ inline unsigned teamOfLanes() {
  constexpr unsigned kFirst = 0xffffffffu >> (32 - kLanesOfTeam);
  return kFirst << (threadIdx.x % 32 / kLanesOfTeam * kLanesOfTeam);
}

/// Returns the sum over the lanes of a team, in each of them. T has an operator +.
template <int kLanesOfTeam, class T>
__device__ inline T sumOverLanes(T value) {
  for (int step = kLanesOfTeam / 2; step > 0; step /= 2) {
    int words[sizeof(T) / sizeof(int)];
    memcpy(words, &value, sizeof(T));
    for (int& word : words) word = __shfl_xor_sync(teamOfLanes<kLanesOfTeam>(), word, step);
    T other;
    memcpy(&other, words, sizeof(T));
    value = value + other;
  }
  return value;
}

/// Returns the sum of \p count parts, in each lane of the warp that adds them.
/// \param none  the sum of no parts
template <class T>
__device__ inline T sumByWarp(const T* parts, int count, T none) {
  T own = none;
  for (int k = threadIdx.x % 32; k < count; k += 32) own = own + parts[k];
  return sumOverLanes<32>(own);
}

/// Returns the sum of the values of the block's threads, in each lane of its first warp. Other
/// warps must not use the result.
/// \param none       the sum of no parts
/// \param ofThreads  shared memory, one element per thread
/// Barriers: 1.
template <class T>
__device__ inline T sumOverBlock(T own, T none, T* ofThreads) {
  ofThreads[threadIdx.x] = own;
  __syncthreads();  // all threads have theirs
  return threadIdx.x < 32 ? sumByWarp(ofThreads, blockDim.x, none) : none;
}

}  // namespace nbody::inline NBODY_PRECISION::tree
