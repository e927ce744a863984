// Host code sets a variable of the device before it has called CUDA: it does not arrive there.
#include <cstdio>

__device__ int counter;

__global__ void count() { counter += 1; }

int main() {
  counter = 5;  // @write
  count<<<1, 1>>>();
  cudaDeviceSynchronize();
  printf("not reached\n");
}
// reports: device memory on the host: host code writes the device variable 'counter' at .*written_by_host.cu:@write
// status: 1
