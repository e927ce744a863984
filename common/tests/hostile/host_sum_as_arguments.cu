// Kind: work of the host
// Tries: to hand the forces to kernels as their arguments, with no copy to the device.
// Stopped by: the copy to the host.
// Most: 5
#include "host_sum.hpp"

struct Some {
  real4 forces[128];
};

__global__ void writeKernel(Some some, int count, real4* accelerations) {
  if (static_cast<int>(threadIdx.x) < count) accelerations[threadIdx.x] = some.forces[threadIdx.x];
}

void answer(Call call) {
  const std::vector<real4> bodies = call.bodies.download();
  const int count = static_cast<int>(bodies.size());
  readAll(call);
  const std::vector<real4> found = hostSum(bodies.data(), count, call.softeningSquared);
  for (int i = 0; i < count; i += 128) {
    Some some = {};
    const int here = std::min(128, count - i);
    std::copy_n(found.begin() + i, here, some.forces);
    writeKernel<<<1, 128, 0, stream()>>>(some, here, call.accelerations.data() + i);
  }
  CUDA_CHECK(cudaGetLastError());
}
