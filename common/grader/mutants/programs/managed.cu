// Managed memory: host and kernel take turns, and the host waits before it uses the memory.
#include "check.cuh"

__global__ void doubleKernel(float* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= 2;
}

int main() {
  constexpr int kCount = 1000;
  float* values;
  CHECK(cudaMallocManaged(&values, kCount * sizeof(float)));
  for (int i = 0; i < kCount; ++i) values[i] = 1;
  for (int turn = 0; turn < 3; ++turn) {
    doubleKernel<<<(kCount + 127) / 128, 128>>>(values, kCount);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    values[turn] += 1;
  }
  double total = 0;
  for (int i = 0; i < kCount; ++i) total += values[i];
  CHECK(cudaFree(values));
  return verdictOf(total, 8 * kCount + 4 + 2 + 1);
}
