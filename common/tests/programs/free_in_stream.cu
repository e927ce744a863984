// cudaMallocAsync() and cudaFreeAsync() allocate and free in the order of their stream, and wait for nothing else.
// only: check
// reports: (?s)freed device memory 'late' .*allocated at .*freed at .*:@free\n.*launched at .*:@other,
// prints: no error
// prints: an illegal memory access was encountered
// status: 1
#include <cstdio>

__global__ void fill(int* x) { x[threadIdx.x] = 1; }

int main() {
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  int *early, *late;
  cudaMallocAsync(&early, 128, a);
  fill<<<1, 32, 0, a>>>(early);
  cudaFreeAsync(early, a);
  cudaMallocAsync(&late, 128, a);
  fill<<<1, 32, 0, a>>>(late);
  puts(cudaGetErrorString(cudaStreamSynchronize(a)));
  fill<<<1, 32, 0, b>>>(late);  // @other
  cudaFreeAsync(late, a);  // @free
  puts(cudaGetErrorString(cudaDeviceSynchronize()));
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}
