// The host tests whether work has ended, lets a stream call a host function, and measures the time
// between two events.
#include <atomic>

#include "check.cuh"

__global__ void countKernel(int* count) { atomicAdd(count, 1); }

void CUDART_CB hasEnded(void* flag) { *static_cast<std::atomic<int>*>(flag) = 1; }

int main() {
  cudaStream_t stream;
  cudaEvent_t start, stop;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  int* count;
  CHECK(cudaMalloc(&count, sizeof(int)));
  CHECK(cudaMemsetAsync(count, 0, sizeof(int), stream));
  CHECK(cudaEventRecord(start, stream));
  for (int k = 0; k < 5; ++k) countKernel<<<2, 100, 0, stream>>>(count);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop, stream));
  std::atomic<int> flag{0};
  CHECK(cudaLaunchHostFunc(stream, hasEnded, &flag));

  cudaError_t status;
  while ((status = cudaEventQuery(stop)) == cudaErrorNotReady) continue;
  CHECK(status);
  while (flag == 0) continue;
  float ms = -1;
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  int found;
  CHECK(cudaMemcpy(&found, count, sizeof found, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(count));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaStreamDestroy(stream));
  return ms >= 0 ? verdictOf(found, 1000) : 1;
}
