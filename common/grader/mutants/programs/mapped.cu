// Host memory that kernels write directly: mapped when it is allocated, or registered later.
#include <vector>

#include "check.cuh"

__global__ void countKernel(int* counts, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) atomicAdd(&counts[i % 2], 1);
}

int main() {
  int *mapped, *device;
  CHECK(cudaHostAlloc(&mapped, 2 * sizeof(int), cudaHostAllocMapped));
  mapped[0] = mapped[1] = 0;
  CHECK(cudaHostGetDevicePointer(&device, mapped, 0));
  countKernel<<<4, 64>>>(device, 201);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  const int first = mapped[0] - mapped[1];

  std::vector<int> counts(2);
  CHECK(cudaHostRegister(counts.data(), 2 * sizeof(int), cudaHostRegisterMapped));
  CHECK(cudaHostGetDevicePointer(&device, counts.data(), 0));
  countKernel<<<4, 64>>>(device, 101);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaHostUnregister(counts.data()));
  CHECK(cudaFreeHost(mapped));
  return verdictOf(first + counts[0], 1 + 51);
}
