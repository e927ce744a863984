// Kind: work of the host
// Tries: to take the bodies by way of a variable of the device's, with no copy of their own array.
// Stopped by: the sum of all copies, those of variables too.
// Most: 5
// Trusted: 0
#include "host_sum.hpp"

__device__ real4 kept[4096];

__global__ void keepKernel(const real4* bodies, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) kept[i] = bodies[i];
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  keepKernel<<<blocksFor(count, 128), 128, 0, stream()>>>(call.bodies.data(), count);
  readAll(call);
  std::vector<real4> bodies(count);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  CUDA_CHECK(cudaMemcpyFromSymbol(bodies.data(), kept, count * sizeof(real4)));
  hostAnswer(call, bodies.data());
}
