// Kind: work of the host
// Tries: the same, brought to the accelerations by a kernel, so that a kernel has written them.
// Stopped by: what kernels write after the host has read the bodies does not count.
// Most: 5
// Trusted: 0
#include "host_sum.hpp"

void answer(Call call) {
  const std::vector<real4> bodies = call.bodies.download();
  const int count = static_cast<int>(bodies.size());
  readAll(call);
  DeviceArray<real4> found(count, "found");
  found.upload(hostSum(bodies.data(), count, call.softeningSquared));
  copyAll(found.data(), count, call.accelerations.data());
  CUDA_CHECK(cudaStreamSynchronize(stream()));
}
