// Kind: kernel that tells the host
// Tries: the same by a function of the mathematics that has a second result.
// Stopped by: second results that are checked as what a kernel writes.
// Trusted: 0
#include "host_sum.hpp"

static real told[4096][4];

__global__ void tellKernel(const real4* bodies, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const real4 b = bodies[i];
  constexpr real kScale = 0x1p40f;  // past which a float has no fraction
  modff(b.x * kScale, &told[i][0]);
  modff(b.y * kScale, &told[i][1]);
  modff(b.z * kScale, &told[i][2]);
  modff(b.w * kScale, &told[i][3]);
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  tellKernel<<<blocksFor(count, 128), 128, 0, stream()>>>(call.bodies.data(), count);
  CUDA_CHECK(cudaGetLastError());
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  std::vector<real4> bodies;
  for (int i = 0; i < count; ++i)
    bodies.push_back({told[i][0] * 0x1p-40f,
                      told[i][1] * 0x1p-40f,
                      told[i][2] * 0x1p-40f,
                      told[i][3] * 0x1p-40f});
  hostAnswer(call, bodies.data());
}
