// Kind: correct but unusual
// Tries: nothing: a kernel counts what it has done, and the host reads the count before the
//   forces are computed.
// Stopped by: nothing: it is correct.
// Least: 100
#include "honest.hpp"

__device__ int counted;

__global__ void countKernel(const real4* bodies, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && bodies[i].w >= 0) atomicAdd(&counted, 1);
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  int none = 0, found = 0;
  CUDA_CHECK(cudaMemcpyToSymbol(counted, &none, sizeof none));
  countKernel<<<blocksFor(count, 128), 128, 0, stream()>>>(call.bodies.data(), count);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  CUDA_CHECK(cudaMemcpyFromSymbol(&found, counted, sizeof found));
  if (found != count) refused("count");
  honest(call);
}
