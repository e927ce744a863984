// Two arrays that are swapped after each step without a wait, because launches in a stream run in
// order.
#include <utility>
#include <vector>

#include "check.cuh"

__global__ void smoothKernel(const float* from, float* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float left = i > 0 ? from[i - 1] : 0, right = i < count - 1 ? from[i + 1] : 0;
  to[i] = (left + 2 * from[i] + right) / 4;
}

int main() {
  constexpr int kCount = 1001, kSteps = 10;
  std::vector<float> values(kCount);
  values[kCount / 2] = 1 << 20;
  float *from, *to;
  CHECK(cudaMalloc(&from, kCount * sizeof(float)));
  CHECK(cudaMalloc(&to, kCount * sizeof(float)));
  CHECK(cudaMemcpy(from, values.data(), kCount * sizeof(float), cudaMemcpyHostToDevice));
  for (int step = 0; step < kSteps; ++step) {
    smoothKernel<<<(kCount + 127) / 128, 128>>>(from, to, kCount);
    CHECK(cudaGetLastError());
    std::swap(from, to);
  }
  CHECK(cudaMemcpy(values.data(), from, kCount * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(to));
  CHECK(cudaFree(from));
  double total = 0;
  for (float value : values) total += value;
  return verdictOf(total, 1 << 20);
}
