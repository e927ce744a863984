#include "08_many_gpus/force_sum.hpp"

#include "04_multithread_per_body/tuned.cuh"
#include "cuda/launch.hpp"

namespace nbody::inline NBODY_PRECISION::many_gpus {

using multithread::tuned::launchPulls;

/// Thread i adds up the sums of body i, segment after segment.
/// \param stored  x, y, z, 0; `count` per segment
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

ForceSum::ForceSum(const RankWork& work) : work_(work), count_(work.shares.count(work.rank)) {
  // The order of a sum depends on how it is split. With --ordered it is split as on one rank.
  const int bodies = work.options.ordered ? work.shares.bodies : work.shares.most();
  split_.resolve({bodies, work.options.equalMasses, multiprocessors()});
}

void ForceSum::begin(DeviceArray<real4>& accelerations) {
  if (work_.options.ordered) stored_.reserve(static_cast<std::size_t>(segments()) * count_);
  else accelerations.clear();
}

void ForceSum::add(const DeviceArray<real4>& bodies,
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
  const int chunk = ordered ? unit : static_cast<int>(blocksFor(count, chunks));
  real4* sums = ordered ? stored_.data() + static_cast<std::size_t>(first / unit) * count_
                        : accelerations.data();
  // Compiled only for the values that its options choose themselves.
  launchPulls<false, CompiledValues<16, 32>, CompiledValues<1, 2, 4>>({bodies.data(),
                                                                       count_,
                                                                       sources,
                                                                       count,
                                                                       chunks,
                                                                       chunk,
                                                                       work_.softeningSquared,
                                                                       sums,
                                                                       !ordered},
                                                                      split_,
                                                                      stream);
}

void ForceSum::end(DeviceArray<real4>& accelerations) {
  if (!work_.options.ordered || count_ == 0) return;
  constexpr int kBlock = 128;
  addSegments<<<blocksFor(count_, kBlock), kBlock, 0, stream()>>>(
      stored_.data(), segments(), count_, accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace nbody::inline NBODY_PRECISION::many_gpus
