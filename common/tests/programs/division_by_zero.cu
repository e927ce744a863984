// An integer that is divided by zero: on a GPU the result is undefined and the kernel goes on.
// reports: integer division by zero.*: thread \(0,0,0\) of block \(0,0,0\) at programs/division_by_zero.cu:@divide
// reports: integer division by zero.*: thread \(0,0,0\) of block \(0,0,0\) at programs/division_by_zero.cu:@rest
// prints: no error, 2
// status: 1
#include <cstdio>

__global__ void divideKernel(int* x, const int* divisors) {
  const int i = threadIdx.x;
  x[i] = 4 / divisors[i];  // @divide
}
__global__ void restKernel(long long* x, const int* divisors) {
  const int i = threadIdx.x;
  x[i] = 4ll % static_cast<long long>(divisors[i]);  // @rest
}

int main() {
  int *x, *divisors, first[2], host[64] = {0, 2};
  long long* wide;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&wide, 2 * sizeof host);
  cudaMalloc(&divisors, sizeof host);
  cudaMemcpy(divisors, host, sizeof host, cudaMemcpyHostToDevice);
  divideKernel<<<1, 64>>>(x, divisors);
  restKernel<<<1, 64>>>(wide, divisors);
  const cudaError_t error = cudaMemcpy(first, x, sizeof first, cudaMemcpyDeviceToHost);
  printf("%s, %d\n", cudaGetErrorString(error), first[1]);
  cudaFree(x);
  cudaFree(wide);
  cudaFree(divisors);
}
