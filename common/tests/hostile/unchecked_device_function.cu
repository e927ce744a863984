// Kind: kernel that tells the host
// Tries: a kernel that tells the host the bodies by a function that the compiler is told not to
//   instrument.
// Stopped by: the translator: a submission has no such attribute.
// Calls: checked
// Trusted: 0
#include "host_sum.hpp"

static real4 told[4096];

__attribute__((no_sanitize("thread"), noinline)) static void tell(const real4* bodies, int i) {
  told[i] = bodies[i];
}

__global__ void tellKernel(const real4* bodies, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) tell(bodies, i);
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  tellKernel<<<blocksFor(count, 128), 128, 0, stream()>>>(call.bodies.data(), count);
  CUDA_CHECK(cudaGetLastError());
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  hostAnswer(call, told);
}
