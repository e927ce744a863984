// Products of matrices by nvcuda::wmma, matrices loaded by ldmatrix, and lanes that do not take part.
// prints: sum of differences 0
// prints: other numbers 64 8 8 12 | 16 65 -16 8
// prints: 410040 430042 490048 | 480040 490041
// reports: missing lanes: 20 of 32 lanes call ldmatrix at .*:@load, and the others have returned or do not exist
// status: 1
#include <cuda_bf16.h>
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

/// Multiplies a matrix of \p a by one of \p b. Returns an element.
template <int m, int n, int k, class T, class Sum, class Number>
__device__ Sum productOf(Number a, Number b) {
  __shared__ alignas(32) Sum results[m * n];
  wmma::fragment<wmma::matrix_a, m, n, k, T, wmma::row_major> first;
  wmma::fragment<wmma::matrix_b, m, n, k, T, wmma::col_major> second;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> sum;
  wmma::fill_fragment(first, a);
  wmma::fill_fragment(second, b);
  wmma::fill_fragment(sum, Sum(0));
  wmma::mma_sync(sum, first, second, sum);
  wmma::store_matrix_sync(results, sum, n, wmma::mem_row_major);
  __syncwarp();
  return results[m * n - 1];
}

__global__ void otherNumbers() {
  using Integer = signed char;
  const int integers = productOf<16, 16, 16, Integer, int>(Integer(-2), Integer(-2));
  const float tf32 = productOf<16, 16, 8, wmma::precision::tf32, float>(1.0f, 1.0f);
  const auto half = __float2bfloat16(0.5f), one = __float2bfloat16(1.0f);
  const float bfloat = productOf<32, 8, 16, __nv_bfloat16, float>(half, one);
  const double doubles = productOf<8, 8, 4, double, double>(1.5, 2.0);
  unsigned halves[2] = {};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %2, %2, %2}, {%2, %2}, "
      "{%0, %1};"
      : "+r"(halves[0]), "+r"(halves[1])
      : "r"(0x3c003c00));
  int four[4] = {1, 1, 1, 1}, two[2];
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, "
      "{%5, %5}, {%0, %1, %2, %3};"
      : "+r"(four[0]), "+r"(four[1]), "+r"(four[2]), "+r"(four[3])
      : "r"(0x01010101), "r"(0x02020202));
  asm volatile(
      "mma.sync.aligned.m8n8k16.row.col.satfinite.s32.u8.s8.s32 {%0, %1}, {%2}, {%3}, {%4, %4};"
      : "=r"(two[0]), "=r"(two[1])
      : "r"(0x01010101), "r"(0xffffffffu), "r"(0));
  double sums[2] = {};
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(sums[0]), "+d"(sums[1])
               : "d"(1.0), "d"(2.0));
  if (threadIdx.x == 0) {
    const float sum = __half2float(__ushort_as_half(halves[1] >> 16));
    printf("other numbers %d %g %g %g | %g %d %d %g\n", integers, tf32, bfloat, doubles, sum,
           four[3], two[1], sums[1]);
  }
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
  asm volatile("ldmatrix.sync.aligned.x2.trans.m8n8.shared::cta.b16 {%0, %1}, [%2];"
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
  otherNumbers<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%x %x %x | %x %x\n", out[0], out[1], out[4], out[32], out[36]);
  load<<<1, 32>>>(20);
  cudaDeviceSynchronize();
}
