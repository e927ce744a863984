/// \file
/// The pulls of some rank's bodies on this rank's, by the kernel of step 04.
#pragma once

#include "cuda/device_buffer.hpp"
#include "cuda/multiprocessors.hpp"
#include "exchange/rank_forces.hpp"
#include "tuned.cuh"

namespace nbody {

/// Thread i adds up the sums of body i, segment after segment.
/// \param stored  x, y, z, 0; `count` for each segment
static __global__ void addSegments(const real4* stored, int segments, int count, real4* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  real4 sum = {0, 0, 0, 0};
  for (int s = 0; s < segments; ++s) {
    const real4 term = stored[static_cast<std::size_t>(s) * count + i];
    sum = {sum.x + term.x, sum.y + term.y, sum.z + term.z, 0};
  }
  sums[i] = sum;
}

/// Sums the pulls on this rank's bodies, source after source as they come.
class PullSums {
 public:
  explicit PullSums(const RankWork& work) : work_(work), count_(work.shares.count(work.rank)) {
    // A sum's order depends on how it is split: by --ordered as for all bodies on one rank.
    const int bodies = work.options.ordered ? work.shares.bodies : work.shares.most();
    split_.resolve({bodies, work.options.equalMasses, multiprocessors()});
  }

  void begin(DeviceArray<real4>& accelerations) {
    if (work_.options.ordered) stored_.reserve(static_cast<std::size_t>(segments()) * count_);
    else accelerations.clear();
  }

  /// \param sources  of \p ranks ranks from \p rank on
  void add(const DeviceArray<real4>& bodies,
           const real4* sources,
           int rank,
           int ranks,
           DeviceArray<real4>& accelerations,
           cudaStream_t stream) {
    const int first = work_.shares.begin(rank);
    const int count = work_.shares.begin(rank + ranks) - first;
    if (count_ == 0 || count == 0) return;
    const bool ordered = work_.options.ordered;
    const int unit = work_.shares.unit;
    const int chunks = ordered ? blocksFor(count, unit) : std::min(split_.blocksPerBody, count);
    real4* sums = ordered ? stored_.data() + static_cast<std::size_t>(first / unit) * count_
                          : accelerations.data();
    launchPulls({bodies.data(),
                 count_,
                 sources,
                 count,
                 chunks,
                 ordered ? unit : static_cast<int>(blocksFor(count, chunks)),
                 work_.softeningSquared,
                 sums,
                 !ordered},
                split_,
                stream);
  }

  void end(DeviceArray<real4>& accelerations) {
    if (!work_.options.ordered || count_ == 0) return;
    constexpr int kBlock = 128;
    addSegments<<<blocksFor(count_, kBlock), kBlock, 0, stream()>>>(
        stored_.data(), segments(), count_, accelerations.data());
    CUDA_CHECK(cudaGetLastError());
  }

 private:
  int segments() const { return blocksFor(work_.shares.bodies, work_.shares.unit); }

  const RankWork& work_;
  int count_;
  SplitOptions split_;
  DeviceBuffer<real4> stored_{"sums of segments"};
};

}  // namespace nbody
