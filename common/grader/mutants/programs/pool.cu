// Memory that is allocated and freed in stream order: the next array may reuse the memory of the
// previous one.
#include "check.cuh"

__global__ void fillKernel(int* values, int value) { values[threadIdx.x] = value; }

__global__ void sumKernel(const int* values, int* sum) { atomicAdd(sum, values[threadIdx.x]); }

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int *sum, *values;
  CHECK(cudaMalloc(&sum, sizeof(int)));
  CHECK(cudaMemsetAsync(sum, 0, sizeof(int), stream));
  for (int round = 1; round <= 3; ++round) {
    CHECK(cudaMallocAsync(&values, 64 * sizeof(int), stream));
    fillKernel<<<1, 64, 0, stream>>>(values, round);
    CHECK(cudaGetLastError());
    sumKernel<<<1, 64, 0, stream>>>(values, sum);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(values, stream));
  }
  int found;
  CHECK(cudaMemcpyAsync(&found, sum, sizeof found, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaFree(sum));
  CHECK(cudaStreamDestroy(stream));
  return verdictOf(found, 64 * (1 + 2 + 3));
}
