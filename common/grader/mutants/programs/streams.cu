// Two streams that do not wait for the default stream: one uses the results of the other, after an
// event.
#include <vector>

#include "check.cuh"

__global__ void fillKernel(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = i;
}

__global__ void mirrorKernel(const int* values, int* mirrored, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) mirrored[i] = values[count - 1 - i];
}

int main() {
  constexpr int kCount = 5000, kBlocks = (kCount + 255) / 256;
  constexpr std::size_t kBytes = kCount * sizeof(int);
  int *values, *mirrored;
  CHECK(cudaMalloc(&values, kBytes));
  CHECK(cudaMalloc(&mirrored, kBytes));
  cudaStream_t maker, taker;
  cudaEvent_t made;
  CHECK(cudaStreamCreateWithFlags(&maker, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&taker, cudaStreamNonBlocking));
  CHECK(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));

  fillKernel<<<kBlocks, 256, 0, maker>>>(values, kCount);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(made, maker));
  CHECK(cudaStreamWaitEvent(taker, made, 0));
  mirrorKernel<<<kBlocks, 256, 0, taker>>>(values, mirrored, kCount);
  CHECK(cudaGetLastError());
  CHECK(cudaStreamSynchronize(taker));
  std::vector<int> result(kCount);
  CHECK(cudaMemcpy(result.data(), mirrored, kBytes, cudaMemcpyDeviceToHost));

  CHECK(cudaEventDestroy(made));
  CHECK(cudaStreamDestroy(taker));
  CHECK(cudaStreamDestroy(maker));
  CHECK(cudaFree(mirrored));
  CHECK(cudaFree(values));
  return verdictOf(result[1], kCount - 2);
}
