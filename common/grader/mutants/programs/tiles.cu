// Dynamic shared memory above the default limit, and a sum in two launches.
#include <vector>

#include "check.cuh"

__global__ void sumKernel(const float* values, int count, float* sums) {
  extern __shared__ float tile[];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    sum += values[i];
  tile[threadIdx.x] = sum;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) tile[threadIdx.x] += tile[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = tile[0];
}

int main() {
  constexpr int kCount = 10007, kBlock = 256, kBlocks = 16;
  const std::vector<float> ones(kCount, 1);
  float *values, *sums, *total;
  CHECK(cudaMalloc(&values, kCount * sizeof(float)));
  CHECK(cudaMalloc(&sums, kBlocks * sizeof(float)));
  CHECK(cudaMalloc(&total, sizeof(float)));
  CHECK(cudaMemcpy(values, ones.data(), kCount * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaFuncSetAttribute(sumKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 60 << 10));
  sumKernel<<<kBlocks, kBlock, 60 << 10>>>(values, kCount, sums);
  CHECK(cudaGetLastError());
  sumKernel<<<1, kBlocks, kBlocks * sizeof(float)>>>(sums, kBlocks, total);
  CHECK(cudaGetLastError());
  float found;
  CHECK(cudaMemcpy(&found, total, sizeof found, cudaMemcpyDeviceToHost));
  for (float* array : {values, sums, total}) CHECK(cudaFree(array));
  return verdictOf(found, kCount);
}
