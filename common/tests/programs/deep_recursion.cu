// A kernel's stack overflows, on whichever OS thread the block runs.
// reports: stack overflow: thread \(\d+,0,0\) of block \(\d+,0,0\) at programs/deep_recursion.cu:
// status: 1
__device__ int deep(const volatile int* p, int n) {
  volatile int own[64];
  own[0] = n;
  return *p == 12345 ? 0 : deep(p, n + 1) + own[0];
}
__global__ void deepKernel(int* x) {
  if (blockIdx.x > 0) x[threadIdx.x] = deep(x, 0);
}

int main() {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
  deepKernel<<<16, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
