// Kind: work of the host
// Tries: to read a variable of the device's as if it were the host's, with no copy at all.
// Stopped by: variables of the device that are closed as its memory is.
#include "host_sum.hpp"

__device__ real4 kept[4096];

__global__ void keepKernel(const real4* bodies, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) kept[i] = bodies[i];
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  keepKernel<<<blocksFor(count, 128), 128, 0, stream()>>>(call.bodies.data(), count);
  CUDA_CHECK(cudaGetLastError());
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  const std::vector<real4> bodies(kept, kept + count);
  hostAnswer(call, bodies.data());
}
