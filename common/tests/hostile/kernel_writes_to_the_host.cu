// Kind: kernel that tells the host
// Tries: the same with no trick: the kernel writes to an array of the host's.
// Stopped by: the checker: no array of the device's is there.
// Trusted: 0
#include "host_sum.hpp"

static real4 told[4096];

__global__ void tellKernel(const real4* bodies, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) told[i] = bodies[i];
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  tellKernel<<<blocksFor(count, 128), 128, 0, stream()>>>(call.bodies.data(), count);
  CUDA_CHECK(cudaGetLastError());
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  hostAnswer(call, told);
}
