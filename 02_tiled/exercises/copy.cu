// Copies N floats, and checks them: nvcc -arch=native copy.cu && ./a.out [N [SEED]]
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

constexpr int kThreads = 128, kPerThread = 8;  // elements that a thread copies

/// Each block copies kThreads * kPerThread elements. The last block may reach past the end.
__global__ void copyKernel(const float* in, int count, float* out) {
  for (int k = 0; k < kPerThread; ++k) {
    const int i = (blockIdx.x * kPerThread + k) * kThreads + threadIdx.x;
    if (i < count) out[i] = in[i];
  }
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 4096;
  if (count < 1) return std::fprintf(stderr, "usage: copy [N [SEED]]\n"), 2;
  std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 1);
  std::vector<float> in(count), out(count);
  for (float& x : in) x = random() % 1000;

  float *deviceIn, *deviceOut;
  const std::size_t bytes = count * sizeof(float);
  cudaMalloc(&deviceIn, bytes);
  cudaMalloc(&deviceOut, bytes);
  cudaMemcpy(deviceIn, in.data(), bytes, cudaMemcpyHostToDevice);
  const int perBlock = kThreads * kPerThread;
  copyKernel<<<(count + perBlock - 1) / perBlock, kThreads>>>(deviceIn, count, deviceOut);
  const cudaError_t status = cudaMemcpy(out.data(), deviceOut, bytes, cudaMemcpyDeviceToHost);
  if (status != cudaSuccess) return std::fprintf(stderr, "%s\n", cudaGetErrorString(status)), 1;
  cudaFree(deviceIn);
  cudaFree(deviceOut);
  for (int i = 0; i < count; ++i)
    if (out[i] != in[i])
      return std::fprintf(stderr, "wrong: out[%d] is %g, not %g\n", i, out[i], in[i]), 1;
  std::printf("%d elements are correct\n", count);
}
