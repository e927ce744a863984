// Pinned memory and asynchronous copies: all batches use the same two host arrays, which are filled
// and read only when their copies have ended.
#include "check.cuh"

__global__ void squareKernel(const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] * in[i];
}

int main() {
  constexpr int kCount = 10000;
  constexpr std::size_t kBytes = kCount * sizeof(float);
  float *in, *out, *deviceIn, *deviceOut;
  CHECK(cudaMallocHost(&in, kBytes));
  CHECK(cudaMallocHost(&out, kBytes));
  CHECK(cudaMalloc(&deviceIn, kBytes));
  CHECK(cudaMalloc(&deviceOut, kBytes));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));

  double total = 0;
  for (int batch = 1; batch <= 3; ++batch) {
    for (int i = 0; i < kCount; ++i) in[i] = batch;
    CHECK(cudaMemcpyAsync(deviceIn, in, kBytes, cudaMemcpyHostToDevice, stream));
    squareKernel<<<(kCount + 255) / 256, 256, 0, stream>>>(deviceIn, deviceOut, kCount);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(out, deviceOut, kBytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < kCount; ++i) total += out[i];
  }
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(deviceOut));
  CHECK(cudaFree(deviceIn));
  CHECK(cudaFreeHost(out));
  CHECK(cudaFreeHost(in));
  return verdictOf(total, (1 + 4 + 9) * kCount);
}
