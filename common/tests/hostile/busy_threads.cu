// Kind: gap
// Tries: one thread that sums all forces, among 63 that keep themselves busy for as long.
// Stopped by: nothing: each thread does as much as any other, and their forces are a kernel's.
// Most: 100
#include "serial.hpp"

__global__ void busyKernel(const real4* bodies, int count, real eps2, real4* accelerations) {
  const int lane = threadIdx.x;
  for (int k = 0; k < count; ++k) {
    const real4 found = serialSum(bodies, count, eps2, k);
    if (lane == 0) accelerations[k] = found;
  }
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  busyKernel<<<1, 64, 0, stream()>>>(
      call.bodies.data(), count, call.softeningSquared, call.accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}
