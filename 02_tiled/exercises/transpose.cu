// Transposes a matrix of N x N, and checks it: nvcc -arch=native transpose.cu && ./a.out [N [SEED]]
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

/// Ends the program at the first call that fails, because later calls may hide the error.
#define CUDA_CHECK(call) checkCuda((call), #call, __LINE__)
void checkCuda(cudaError_t status, const char* call, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "transpose.cu:%d: %s: %s\n", line, call, cudaGetErrorString(status));
  std::exit(1);
}

constexpr int kTile = 32, kRows = 8;  // a block has kRows rows of kTile threads

/// Each block transposes one tile. The last tiles may reach past the end of the matrix.
__global__ void transposeKernel(const float* in, int n, float* out) {
  __shared__ float tile[kTile][kTile + 1];  // one more column: a column's elements are in 32 banks
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += kRows)
    if (x < n && y + k < n) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
  __syncthreads();  // the tile is whole before any thread reads it
  const int newX = blockIdx.y * kTile + threadIdx.x, newY = blockIdx.x * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += kRows)
    if (newX < n && newY + k < n) out[(newY + k) * n + newX] = tile[threadIdx.x][threadIdx.y + k];
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 128;
  if (n < 1) return std::fprintf(stderr, "usage: transpose [N [SEED]]\n"), 2;
  std::mt19937 random(argc > 2 ? std::atoi(argv[2]) : 1);
  std::vector<float> in(n * n), out(n * n);
  for (float& x : in) x = random() % 1000;

  float *deviceIn, *deviceOut;
  const std::size_t bytes = in.size() * sizeof(float);
  CUDA_CHECK(cudaMalloc(&deviceIn, bytes));
  CUDA_CHECK(cudaMalloc(&deviceOut, bytes));
  CUDA_CHECK(cudaMemcpy(deviceIn, in.data(), bytes, cudaMemcpyHostToDevice));
  const int tiles = (n + kTile - 1) / kTile;
  transposeKernel<<<dim3(tiles, tiles), dim3(kTile, kRows)>>>(deviceIn, n, deviceOut);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(out.data(), deviceOut, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(deviceIn));
  CUDA_CHECK(cudaFree(deviceOut));
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      if (out[y * n + x] != in[x * n + y])
        return std::fprintf(stderr,
                            "wrong: row %d, column %d is %g, not %g\n",
                            y,
                            x,
                            out[y * n + x],
                            in[x * n + y]),
               1;
  std::printf("%d rows and columns are correct\n", n);
}
