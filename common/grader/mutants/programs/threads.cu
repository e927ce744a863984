// Two host threads, each with its own stream and arrays.
#include <thread>

#include "check.cuh"

__global__ void fillKernel(int* values, int count, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = value;
}

void work(int value, long* sum) {
  constexpr int kCount = 3000;
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  int *device, *host;
  CHECK(cudaMalloc(&device, kCount * sizeof(int)));
  CHECK(cudaMallocHost(&host, kCount * sizeof(int)));
  fillKernel<<<(kCount + 255) / 256, 256, 0, stream>>>(device, kCount, value);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpyAsync(host, device, kCount * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < kCount; ++i) *sum += host[i];
  CHECK(cudaFreeHost(host));
  CHECK(cudaFree(device));
  CHECK(cudaStreamDestroy(stream));
}

int main() {
  long sums[2] = {};
  std::thread first(work, 1, &sums[0]), second(work, 2, &sums[1]);
  first.join();
  second.join();
  return verdictOf(sums[0] + sums[1], 9000);
}
