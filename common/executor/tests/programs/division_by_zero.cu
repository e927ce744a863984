// An integer that is divided by zero: on a GPU the result is undefined and the kernel goes on. In host code it ends the
// program, and is told with its line.
// reports: integer division by zero.*: thread \(0,0,0\) of block \(0,0,0\) at programs/division_by_zero.cu:@divide
// reports: integer division by zero.*: thread \(0,0,0\) of block \(0,0,0\) at programs/division_by_zero.cu:@rest
// reports: integer division by zero, or a quotient that is too large, in host code at .*:@division
// prints: no error, 2
// status: 136
#include <cstdio>

__managed__ int x[64], divisors[64] = {0, 2};
__device__ long long wide[64];

__global__ void divideKernel() {
  const int i = threadIdx.x;
  x[i] = 4 / divisors[i];  // @divide
}
__global__ void restKernel() {
  const int i = threadIdx.x;
  wide[i] = 4ll % static_cast<long long>(divisors[i]);  // @rest
}

int main() {
  cudaMemAdvise(x, sizeof x, cudaMemAdviseSetReadMostly, 0);  // a hint, which changes nothing
  divideKernel<<<1, 64>>>();
  restKernel<<<1, 64>>>();
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s, %d\n", cudaGetErrorString(error), x[1]);
  fflush(stdout);
  printf("%d\n", 10 / divisors[0]);  // @division
}
