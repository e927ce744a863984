// Kind: work of the host
// Tries: no copies to count: a kernel writes the bodies to managed memory, the host the forces.
// Stopped by: what kernels write to memory that the host reads counts as read.
// Most: 5
// Trusted: 0
#include "host_sum.hpp"

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  real4* shared;
  CUDA_CHECK(cudaMallocManaged(&shared, count * sizeof(real4)));
  copyAll(call.bodies.data(), count, shared);
  readAll(call);
  CUDA_CHECK(cudaDeviceSynchronize());
  const std::vector<real4> found = hostSum(shared, count, call.softeningSquared);
  std::copy(found.begin(), found.end(), shared);
  copyAll(shared, count, call.accelerations.data());
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(shared));
}
