// Kind: kernel that tells the host
// Tries: the same by an instruction for memory that no cache is to hold, which the compiler does not
//   instrument.
// Stopped by: the translator: a submission has no instructions of the host's processor.
// Calls: checked
// Trusted: 0
#include <emmintrin.h>

#include "host_sum.hpp"

alignas(16) static real4 told[4096];

__global__ void tellKernel(const real4* bodies, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const real4 b = bodies[i];
  _mm_stream_ps(&told[i].x, _mm_setr_ps(b.x, b.y, b.z, b.w));
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  tellKernel<<<blocksFor(count, 128), 128, 0, stream()>>>(call.bodies.data(), count);
  CUDA_CHECK(cudaGetLastError());
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  hostAnswer(call, told);
}
