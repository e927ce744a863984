// Copies of parts of arrays up to their ends: within the device, in a direction that CUDA finds,
// and between arrays on the heap, on the stack and in static memory.
#include <vector>

#include "check.cuh"

static float table[64];

__global__ void addKernel(float* sums, const float* terms, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) sums[i] += terms[i];
}

int main() {
  constexpr int kCount = 64;
  constexpr std::size_t kBytes = kCount * sizeof(float);
  float local[kCount / 2];
  for (int i = 0; i < kCount; ++i) table[i] = i;
  for (float& value : local) value = 100;

  float *sums, *terms;
  CHECK(cudaMalloc(&sums, kBytes));
  CHECK(cudaMalloc(&terms, kBytes));
  CHECK(cudaMemset(sums, 0, kBytes));
  CHECK(cudaMemcpy(terms, table, kBytes / 2, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(terms + kCount / 2, local, sizeof local, cudaMemcpyDefault));
  addKernel<<<2, 40>>>(sums, terms, kCount);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(terms, sums + kCount / 2, kBytes / 2, cudaMemcpyDeviceToDevice));
  addKernel<<<1, kCount>>>(sums, terms, kCount);
  CHECK(cudaGetLastError());

  std::vector<float> result(kCount);
  CHECK(cudaMemcpy(result.data(), sums, kBytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(terms));
  CHECK(cudaFree(sums));
  double total = 0;
  for (float value : result) total += value;
  return verdictOf(total, 31 * 16 + 32 * 100 + 32 * 100 + 32 * 100);
}
