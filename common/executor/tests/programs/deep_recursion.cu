// A kernel's stack overflows, on whichever OS thread the block runs.
// reports: stack overflow: thread \(\d+,0,0\) of block \(\d+,0,0\) at programs/deep_recursion.cu:
// status: 1
__device__ int x[64];
__device__ int deep(int n) {
  volatile int own[64];
  own[0] = n;
  return x[0] == 12345 ? 0 : deep(n + 1) + own[0];
}
__global__ void deepKernel() {
  if (blockIdx.x > 0) x[threadIdx.x] = deep(0);
}

int main() {
  deepKernel<<<16, 64>>>();
  cudaDeviceSynchronize();
}
