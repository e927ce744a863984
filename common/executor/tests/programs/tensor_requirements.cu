// Addresses, distances and fragments that tensor cores and asynchronous copies do not allow.
// only: check
// reports: wrong leading dimension: .*load_matrix_sync\(\) at .*:@ld with a leading dimension of 17.*multiple of 8
// reports: wrong leading dimension: .*store_matrix_sync\(\) at .*:@storeLd with a leading dimension of 18.*multiple of 4
// reports: misaligned access to shared memory: .*\n  access by .*:@offset\n  The address of load_matrix_sync\(\) .*32 bytes.* 16 bytes past
// reports: out of bounds of shared memory: second\[495\] of 256 elements.*\n  access of 2 bytes .*:@beyond\n
// reports: uninitialised fragment: .*mma_sync\(\) at .*:@neverFilled, and nothing has filled the accumulator
// reports: uninitialised fragment: .*store_matrix_sync\(\) at .*:@storedOnly, and nothing has filled the accumulator
// reports: race on shared memory: sums\[\d+\]\n  (write|read) .*\n  (write|read) .*:@noWait\n
// reports: misaligned access to shared memory: .*\n  access by thread \(1,0,0\) .*:@rows\n  The address of ldmatrix .* 2 bytes past
// reports: misaligned access to global memory: .*\n  access by .*:@from\n  The address of cp.async.ca .* 4 bytes past
// reports: wrong size: .*__pipeline_memcpy_async\(\) at .*:@size for 12 bytes
// reports: copy not awaited in shared memory: tile\[0\]\n  asynchronous copy .*:@copy\n  read .*:@early\n
// prints: all right 3c003c00
// status: 1
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include <cstdio>

using namespace nvcuda;
using A = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using B = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major>;
using C = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

enum Mistake { none, ld, storeLd, offset, beyond, neverFilled, storedOnly, noWait };

template <Mistake kMistake>
__global__ void product(float* out) {
  __shared__ half first[16 * 24], second[256];
  __shared__ float sums[16 * 20];
  for (int i = threadIdx.x; i < 384; i += 32) {
    first[i] = __float2half(1);
    if (i < 256) second[i] = __float2half(2);
  }
  __syncwarp();
  A a;
  B b;
  C c;
  if (kMistake == ld) wmma::load_matrix_sync(a, first, 17);  // @ld
  else if (kMistake == offset) wmma::load_matrix_sync(a, first + 8, 16);  // @offset
  else wmma::load_matrix_sync(a, first, 24);
  if (kMistake == beyond) wmma::load_matrix_sync(b, second, 32);  // @beyond
  else wmma::load_matrix_sync(b, second, 16);
  if (kMistake != neverFilled && kMistake != storedOnly) wmma::fill_fragment(c, 0.0f);
  if (kMistake != storedOnly) wmma::mma_sync(c, a, b, c);  // @neverFilled
  if (kMistake == storeLd) wmma::store_matrix_sync(sums, c, 18, wmma::mem_row_major);  // @storeLd
  wmma::store_matrix_sync(sums, c, 20, wmma::mem_row_major);  // @storedOnly
  if (kMistake != noWait) __syncwarp();
  float sum = 0;
  for (int i = threadIdx.x; i < 256; i += 32) sum += sums[i / 16 * 20 + i % 16];  // @noWait
  out[threadIdx.x] = sum;
}

/// Rows of a matrix are 9 halves apart. Only lanes 0 to 7 have addresses.
template <int kDistance>
__global__ void rows(unsigned* out) {
  __shared__ half tile[8 * kDistance];
  for (int i = threadIdx.x; i < 8 * kDistance; i += 32) tile[i] = __float2half(1);
  __syncwarp();
  unsigned part;
  const auto row = threadIdx.x < 8 ? __cvta_generic_to_shared(tile + threadIdx.x * kDistance) : 1;
  const auto address = static_cast<unsigned>(row);
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"  // @rows
               : "=r"(part)
               : "r"(address));
  out[threadIdx.x] = part;
}

__global__ void copy(const float* in, float* out) {
  __shared__ float tile[64];
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(tile + 2 * threadIdx.x));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(in));  // @from
  asm volatile("cp.async.wait_all;");
  out[threadIdx.x] = tile[0];
}

__global__ void size(const float* in, float* out) {
  __shared__ float tile[4];
  __pipeline_memcpy_async(tile, in, 12);  // @size
  out[0] = tile[0];
}

__global__ void early(const float* in, float* out) {
  __shared__ float tile[4];
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(in));  // @copy
  asm volatile("cp.async.commit_group;");
  out[0] = tile[0];  // @early
  asm volatile("cp.async.wait_group 0;");
}

template <class Kernel, class... Arguments>
void run(Kernel kernel, int threads, Arguments... arguments) {
  kernel<<<1, threads>>>(arguments...);
  cudaDeviceSynchronize();
}

__device__ float in[64], out[64];
__device__ unsigned parts[32];

int main() {
  float *from, *to;
  unsigned* bits;
  const auto find = [&] {
    cudaGetSymbolAddress(reinterpret_cast<void**>(&from), in);
    cudaGetSymbolAddress(reinterpret_cast<void**>(&to), out);
    cudaGetSymbolAddress(reinterpret_cast<void**>(&bits), parts);
  };
  find();
  run(product<none>, 32, to);
  run(rows<8>, 32, bits);
  unsigned part;
  cudaMemcpyFromSymbol(&part, parts, sizeof part);
  if (cudaGetLastError() == cudaSuccess) printf("all right %x\n", part);
  run(product<noWait>, 32, to);
  run(early, 1, from, to);
  cudaDeviceReset();
  const auto wrong = [&](auto kernel, int threads, auto... arguments) {
    run(kernel, threads, arguments...);
    cudaDeviceReset();
  };
  wrong(product<ld>, 32, to);
  wrong(product<storeLd>, 32, to);
  wrong(product<offset>, 32, to);
  wrong(product<beyond>, 32, to);
  wrong(product<neverFilled>, 32, to);
  wrong(product<storedOnly>, 32, to);
  wrong(rows<9>, 32, bits);
  wrong(copy, 32, from + 1, to);
  wrong(size, 1, from, to);
}
