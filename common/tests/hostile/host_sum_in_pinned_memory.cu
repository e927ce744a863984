// Kind: work of the host
// Tries: the same by pinned memory, which a kernel may write.
// Stopped by: the same.
// Most: 5
// Trusted: 0
#include "host_sum.hpp"

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  real4* shared;
  CUDA_CHECK(cudaMallocHost(reinterpret_cast<void**>(&shared), count * sizeof(real4)));
  copyAll(call.bodies.data(), count, shared);
  readAll(call);
  CUDA_CHECK(cudaDeviceSynchronize());
  const std::vector<real4> found = hostSum(shared, count, call.softeningSquared);
  std::copy(found.begin(), found.end(), shared);
  copyAll(shared, count, call.accelerations.data());
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFreeHost(shared));
}
