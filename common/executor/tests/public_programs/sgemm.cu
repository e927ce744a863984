// Runs one kernel of SGEMM_CUDA through that repository's own launches, and compares with a product on the host. The
// repository's main() compares with cuBLAS.

#include <runner.cuh>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

// Sizes that SGEMM_CUDA's main() begins with. With larger ones the host's product takes too long.
constexpr int kSizes[] = {128, 256};
constexpr float kAlpha = 0.5f, kBeta = 3;
// Sums have 256 products below 17: the sum of their magnitudes times a float's rounding stays below 3e-4 a product on
// average, and errors of random sign add up to a few thousandths. SGEMM_CUDA itself accepts as much.
constexpr double kTolerance = 0.01;

double expected(const std::vector<float>& a, const std::vector<float>& b, float c, int row,
                int column, int size) {
  double sum = 0;
  for (int k = 0; k < size; ++k) {
    sum += double(a[row * size + k]) * b[k * size + column];
  }
  return kAlpha * sum + kBeta * c;
}

bool rightProduct(int kernel, int size) {
  const int count = size * size;
  const size_t bytes = count * sizeof(float);
  std::vector<float> a(count), b(count), before(count), after(count);
  for (auto* matrix : {&a, &b, &before}) {
    randomize_matrix(matrix->data(), count);
  }
  float *deviceA, *deviceB, *deviceC;
  cudaCheck(cudaMalloc(&deviceA, bytes), __FILE__, __LINE__);
  cudaCheck(cudaMalloc(&deviceB, bytes), __FILE__, __LINE__);
  cudaCheck(cudaMalloc(&deviceC, bytes), __FILE__, __LINE__);
  cudaCheck(cudaMemcpy(deviceA, a.data(), bytes, cudaMemcpyHostToDevice), __FILE__, __LINE__);
  cudaCheck(cudaMemcpy(deviceB, b.data(), bytes, cudaMemcpyHostToDevice), __FILE__, __LINE__);
  cudaCheck(cudaMemcpy(deviceC, before.data(), bytes, cudaMemcpyHostToDevice), __FILE__, __LINE__);
  run_kernel(kernel, size, size, size, kAlpha, deviceA, deviceB, kBeta, deviceC, nullptr);
  cudaCheck(cudaGetLastError(), __FILE__, __LINE__);
  cudaCheck(cudaMemcpy(after.data(), deviceC, bytes, cudaMemcpyDeviceToHost), __FILE__, __LINE__);
  for (float* array : {deviceA, deviceB, deviceC}) {
    cudaCheck(cudaFree(array), __FILE__, __LINE__);
  }
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    const double error = after[i] - expected(a, b, before[i], i / size, i % size, size);
    wrong += !(std::fabs(error) <= kTolerance);
  }
  std::printf("kernel %d, %d x %d: %s (%d elements wrong)\n", kernel, size, size,
              wrong ? "wrong" : "right", wrong);
  return wrong == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int kernel = argc == 2 ? std::atoi(argv[1]) : 0;
  if (kernel < 1 || kernel > 12) {
    std::fprintf(stderr, "usage: sgemm KERNEL, from 1 to 12\n");
    return 2;
  }
  bool right = true;
  for (const int size : kSizes) {
    right = rightProduct(kernel, size) && right;
  }
  std::printf(right ? "as on the host\n" : "not as on the host\n");
  return right ? 0 : 1;
}
