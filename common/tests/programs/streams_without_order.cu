// Streams that use one array, and nothing orders them: each pair of lines is named once.
// only: check
#include <cstdio>

__global__ void fill(int* x, int value) { x[threadIdx.x] = value; }
__global__ void add(int* x, const int* y) {
  x[threadIdx.x] += y[threadIdx.x];  // @add
}

int main() {
  cudaStream_t a, b, aside;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
  int *x, *y, *pinned;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMalloc(&y, 32 * sizeof(int));
  cudaMallocHost(&pinned, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) pinned[i] = i;
  cudaMemset(x, 0, 32 * sizeof(int));
  cudaMemset(y, 0, 32 * sizeof(int));
  cudaDeviceSynchronize();

  cudaMemcpyAsync(y, pinned, 32 * sizeof(int), cudaMemcpyHostToDevice, a);  // @copy
  add<<<1, 32, 0, b>>>(x, y);
  cudaDeviceSynchronize();

  fill<<<1, 32, 0, aside>>>(x, 1);
  cudaMemset(x, 0, 32 * sizeof(int));  // @memset
  cudaDeviceSynchronize();

  add<<<1, 32, 0, a>>>(x, y);  // after the synchronisation: in order
  cudaStreamSynchronize(a);
  add<<<1, 32, 0, b>>>(x, y);
  cudaDeviceSynchronize();
  cudaDeviceReset();
}
// reports: race on global memory: y\[0\]\n(.*\n)*.*cudaMemcpyAsync at programs/streams_without_order.cu:@copy
// reports: race on global memory: x\[0\]\n(.*\n)*.*cudaMemset at programs/streams_without_order.cu:@memset
// status: 1
