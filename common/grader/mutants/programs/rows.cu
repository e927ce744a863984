// A matrix whose rows are padded on the device, but not on the host.
#include <vector>

#include "check.cuh"

__global__ void scaleKernel(char* matrix, std::size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) reinterpret_cast<float*>(matrix + y * pitch)[x] *= 10;
}

int main() {
  constexpr int kWidth = 50, kHeight = 20;
  constexpr std::size_t kRow = kWidth * sizeof(float);
  std::vector<float> matrix(kWidth * kHeight);
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = i;
  char* device;
  std::size_t pitch;
  CHECK(cudaMallocPitch(&device, &pitch, kRow, kHeight));
  CHECK(cudaMemcpy2D(device, pitch, matrix.data(), kRow, kRow, kHeight, cudaMemcpyHostToDevice));
  scaleKernel<<<dim3(4, 3), dim3(16, 8)>>>(device, pitch, kWidth, kHeight);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy2D(matrix.data(), kRow, device, pitch, kRow, kHeight, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device));
  return verdictOf(matrix.back(), 10 * (kWidth * kHeight - 1));
}
