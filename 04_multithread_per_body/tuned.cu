/// \file
/// Step 04 with its tuned kernel.
#include "04_multithread_per_body/tuned.cuh"

#include "driver/step.hpp"

namespace nbody::inline NBODY_PRECISION::multithread::tuned {

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations) {
  const int count = static_cast<int>(bodies.size());
  const int chunks = options.blocksPerBody;
  const bool add = chunks > 1;
  if (add) accelerations.clear();  // the blocks add to them
  const int chunk = static_cast<int>(blocksFor(count, chunks));
  launchPulls<true, Unrolls, BodyCounts>({bodies.data(),
                                          count,
                                          bodies.data(),
                                          count,
                                          chunks,
                                          chunk,
                                          softeningSquared,
                                          accelerations.data(),
                                          add},
                                         options,
                                         stream());
}

}  // namespace nbody::inline NBODY_PRECISION::multithread::tuned
