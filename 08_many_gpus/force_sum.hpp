/// \file
/// Pulls of other ranks' bodies on this rank's bodies, summed with the kernel of step 04.
#pragma once

#include "04_multithread_per_body/options.hpp"
#include "08_many_gpus/rank_forces.hpp"
#include "cuda/device_buffer.hpp"

namespace nbody::inline NBODY_PRECISION::many_gpus {

/// Sums the pulls on this rank's bodies as the sources arrive.
class ForceSum {
 public:
  explicit ForceSum(const RankWork& work);

  void begin(DeviceArray<real4>& accelerations);

  /// \param sources  bodies of \p ranks ranks, from \p rank on
  void add(const DeviceArray<real4>& bodies,
           const real4* sources,
           int rank,
           int ranks,
           DeviceArray<real4>& accelerations,
           cudaStream_t stream);

  void end(DeviceArray<real4>& accelerations);

 private:
  int segments() const { return blocksFor(work_.shares.bodies, work_.shares.unit); }

  const RankWork& work_;
  int count_;  ///< number of this rank's bodies
  multithread::tuned::Options split_;
  DeviceBuffer<real4> stored_{"sums of segments"};  ///< with --ordered: count_ per segment
};

}  // namespace nbody::inline NBODY_PRECISION::many_gpus
