/// \file
/// The pulls of some ranks' bodies on this rank's, by the kernel of step 04.
#pragma once

#include "04_multithread_per_body/split_options.hpp"
#include "cuda/device_buffer.hpp"
#include "ranks/rank_forces.hpp"

namespace nbody {

/// Adds the pulls of sourceCount \p sources on \p count bodies to \p sums, in the host's memory.
using HostForces = void (*)(const real4* bodies,
                            int count,
                            const real4* sources,
                            int sourceCount,
                            real softeningSquared,
                            real4* sums);

/// Adds them instead of the kernel; null: the kernel does. simd_ranks sets it before all else.
inline HostForces hostForces = nullptr;

/// Sums the pulls on this rank's bodies, source after source as they come.
class ForceSum {
 public:
  explicit ForceSum(const RankWork& work);

  void begin(DeviceArray<real4>& accelerations);

  /// \param sources  of \p ranks ranks from \p rank on
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
  int count_;  ///< of this rank's bodies
  SplitOptions split_;
  DeviceBuffer<real4> stored_{"sums of segments"};  ///< by --ordered: count_ for each
};

}  // namespace nbody
