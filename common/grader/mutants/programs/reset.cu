// Arrays that are not freed one by one: cudaDeviceReset() frees all.
#include "check.cuh"

__global__ void setKernel(int* value, int to) { *value = to; }

int main() {
  int found[3];
  for (int k = 0; k < 3; ++k) {
    int* value;
    CHECK(cudaMalloc(&value, sizeof(int)));
    setKernel<<<1, 1>>>(value, k + 1);
    CHECK(cudaPeekAtLastError());
    CHECK(cudaMemcpy(&found[k], value, sizeof(int), cudaMemcpyDeviceToHost));
  }
  CHECK(cudaDeviceReset());
  return verdictOf(found[0] + found[1] + found[2], 6);
}
