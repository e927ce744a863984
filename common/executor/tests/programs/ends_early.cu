// A program that gives up while work is queued: only its own status tells.
#include <cstdio>
#include <cstdlib>

__global__ void fill(int* x) { x[threadIdx.x] = 7; }

int main() {
  int* x;
  if (cudaMalloc(&x, 32 * sizeof(int)) != cudaSuccess) return 1;
  fill<<<1, 32>>>(x);
  std::printf("no input\n");
  std::exit(3);
}
// prints: no input
// status: 3
