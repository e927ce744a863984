__global__ void many(float* x) {
  for (int i = 0; i < 100; ++i) x[threadIdx.x] += 1;
}
int main() {
  float* x;
  cudaMalloc(&x, 1024);
  cudaMemset(x, 0, 1024);
  many<<<1, 256>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
