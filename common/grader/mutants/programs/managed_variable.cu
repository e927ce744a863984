// Variables of three kinds. The host shares __managed__ ones with kernels, and copies __device__
// and __constant__ ones.
#include "check.cuh"

__managed__ int turns;
__device__ unsigned total;
__constant__ unsigned weights[4];

__global__ void addKernel(int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(&total, weights[i % 4]);
  if (i == 0) ++turns;
}

int main() {
  const unsigned host[4] = {1, 2, 3, 4};
  CHECK(cudaMemcpyToSymbol(weights, host, sizeof host));
  const unsigned none = 0;
  CHECK(cudaMemcpyToSymbol(total, &none, sizeof none));
  turns = 10;
  addKernel<<<3, 96>>>(200);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  unsigned found = turns;

  unsigned* address;
  CHECK(cudaGetSymbolAddress(reinterpret_cast<void**>(&address), total));
  unsigned sum = 0;
  CHECK(cudaMemcpy(&sum, address, sizeof sum, cudaMemcpyDeviceToHost));
  found += sum;
  CHECK(cudaMemcpyFromSymbol(&sum, weights, sizeof sum, 3 * sizeof sum));
  return verdictOf(found + sum, 11 + 500 + 4);
}
