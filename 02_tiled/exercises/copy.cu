// Copies N floats, and checks them: nvcc -arch=native copy.cu && ./a.out [N [SEED]]
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

/// Ends the program at the first call that fails, because later calls may hide the error.
#define CUDA_CHECK(call) checkCuda((call), #call, __LINE__)
void checkCuda(cudaError_t status, const char* call, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "copy.cu:%d: %s: %s\n", line, call, cudaGetErrorString(status));
  std::exit(1);
}

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
  CUDA_CHECK(cudaMalloc(&deviceIn, bytes));
  CUDA_CHECK(cudaMalloc(&deviceOut, bytes));
  CUDA_CHECK(cudaMemcpy(deviceIn, in.data(), bytes, cudaMemcpyHostToDevice));
  const int perBlock = kThreads * kPerThread;
  copyKernel<<<(count + perBlock - 1) / perBlock, kThreads>>>(deviceIn, count, deviceOut);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(out.data(), deviceOut, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(deviceIn));
  CUDA_CHECK(cudaFree(deviceOut));
  for (int i = 0; i < count; ++i)
    if (out[i] != in[i])
      return std::fprintf(stderr, "wrong: out[%d] is %g, not %g\n", i, out[i], in[i]), 1;
  std::printf("%d elements are correct\n", count);
}
