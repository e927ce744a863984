// Kind: kernel that tells the host
// Tries: the same by a function of the library's that writes a text.
// Stopped by: the grader, which follows what kernels call.
// Calls: checked
// Trusted: 0
#include "host_sum.hpp"

static char told[4096][128];

__global__ void tellKernel(const real4* bodies, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const real4 b = bodies[i];
  std::snprintf(told[i], sizeof told[i], "%a %a %a %a", b.x, b.y, b.z, b.w);
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  tellKernel<<<blocksFor(count, 128), 128, 0, stream()>>>(call.bodies.data(), count);
  CUDA_CHECK(cudaGetLastError());
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  std::vector<real4> bodies(count);
  for (int i = 0; i < count; ++i) {
    char* text = told[i];
    for (real* one : {&bodies[i].x, &bodies[i].y, &bodies[i].z, &bodies[i].w})
      *one = std::strtof(text, &text);
  }
  hostAnswer(call, bodies.data());
}
