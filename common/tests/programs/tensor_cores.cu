// Products of matrices by nvcuda::wmma, matrices loaded by ldmatrix, and lanes that do not take part.
// prints: sum of differences 0
// prints: 410040 430042 490048 | 480040 490041
// reports: missing lanes: 20 of 32 lanes call ldmatrix at .*:@load, and the others have returned or do not exist
// status: 1
#include <cuda_fp16.h>
#include <mma.h>

#include <cmath>
#include <cstdio>

using namespace nvcuda;

constexpr int n = 32;
__managed__ half a[n * n], b[n * n];
__managed__ float c[n * n];
__managed__ unsigned short elements[256];
__managed__ unsigned out[64];

/// C = 2 A B of n x n numbers; a warp computes 16 x 16 of them.
__global__ void product() {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int row = warp / (n / 16) * 16, column = warp % (n / 16) * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> first;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> second;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(first, a + row * n + k, n);
    wmma::load_matrix_sync(second, b + column * n + k, n);
    wmma::mma_sync(sum, first, second, sum);
  }
  for (int e = 0; e < sum.num_elements; ++e) sum.x[e] *= 2;
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

/// Loads matrix 1 of four that follow each other, as it is and transposed.
__global__ void load(int lanes) {
  __shared__ __align__(16) unsigned short tile[4 * 8 * 8];
  for (int i = threadIdx.x; i < 4 * 8 * 8; i += 32) tile[i] = elements[i];
  __syncwarp();
  if (threadIdx.x >= lanes) return;
  unsigned plain[4], transposed[2];
  const unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(tile + threadIdx.x * 8));
  asm volatile(  // @load
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
      : "=r"(plain[0]), "=r"(plain[1]), "=r"(plain[2]), "=r"(plain[3])
      : "r"(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(transposed[0]), "=r"(transposed[1])
               : "r"(row));
  out[threadIdx.x] = plain[1];
  out[32 + threadIdx.x] = transposed[1];
}

int main() {
  for (int i = 0; i < n * n; ++i)
    a[i] = __float2half(i % 7 - 3.0f), b[i] = __float2half(i % 5 * 0.5f);
  for (int i = 0; i < 256; ++i) elements[i] = i;
  product<<<1, 128>>>();
  load<<<1, 32>>>(32);
  cudaDeviceSynchronize();
  double differences = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        sum += 2.0 * __half2float(a[i * n + k]) * __half2float(b[j * n + k]);
      differences += fabs(sum - c[i * n + j]);
    }
  printf("sum of differences %g\n", differences);
  printf("%x %x %x | %x %x\n", out[0], out[1], out[4], out[32], out[36]);
  load<<<1, 32>>>(20);
  cudaDeviceSynchronize();
}
