/// \file
/// A first CUDA program, without common/: ten bodies move along a line, each at its own speed.
///
///     nvcc -arch=native 01_naive/drift.cu && ./a.out        # on a GPU
///     ./run cuda 01_naive/drift.cu                          # on a CPU
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Moves one body. The GPU runs this function many times, once in each thread.
__global__ void driftKernel(float* x, const float* v, int count, float dt) {
  const int first = blockIdx.x * blockDim.x;  // threads in earlier blocks
  const int i = first + threadIdx.x;
  if (i < count) x[i] += v[i] * dt;
}

/// Ends the program if a call has failed.
void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "drift.cu: %s: %s\n", call, cudaGetErrorString(status));
  std::exit(1);
}

/// The CPU runs this function once.
int main() {
  const int count = 10;
  std::vector<float> x(count), v(count);
  for (int i = 0; i < count; ++i) x[i] = v[i] = i;

  float *deviceX, *deviceV;
  const std::size_t bytes = count * sizeof(float);
  check(cudaMalloc(&deviceX, bytes), "memory for x");
  check(cudaMalloc(&deviceV, bytes), "memory for v");
  check(cudaMemcpy(deviceX, x.data(), bytes, cudaMemcpyHostToDevice), "copy of x");
  check(cudaMemcpy(deviceV, v.data(), bytes, cudaMemcpyHostToDevice), "copy of v");
  driftKernel<<<3, 4>>>(deviceX, deviceV, count, 0.5f);  // 3 blocks of 4 threads
  check(cudaGetLastError(), "launch");
  check(cudaMemcpy(x.data(), deviceX, bytes, cudaMemcpyDeviceToHost), "copy back");
  check(cudaFree(deviceV), "free v");
  check(cudaFree(deviceX), "free x");

  std::printf("x =");
  for (float position : x) std::printf(" %g", position);
  std::printf("\n");
}
// prints: x = 0 1.5 3 4.5 6 7.5 9 10.5 12 13.5
