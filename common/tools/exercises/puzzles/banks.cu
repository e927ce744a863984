// Puzzle 10: all banks at once
//
// This program is correct, but slow. Each of 32 threads keeps 4 numbers in shared memory, which has 32 banks: word
// number w is in bank w % 32. A bank gives one word at a time. With rows of 4 words, threads 0, 8, 16 and 24 all
// need bank 0, and wait for each other. How many words should a row have, so that no thread waits?
#include <cstdio>
#include <cstdlib>

constexpr int kCount = 32, kNumbers = 4;
constexpr int kRow = 4;  // YOUR LINE: words from one row to the next, at least kNumbers

__global__ void sumOfMultiples(const int* in, int* out) {
  __shared__ int rows[kCount * kRow];
  int* row = rows + threadIdx.x * kRow;  // the thread's own row
  for (int k = 0; k < kNumbers; ++k) row[k] = in[threadIdx.x] * (k + 1);
  int sum = 0;
  for (int k = 0; k < kNumbers; ++k) sum += row[k];
  out[threadIdx.x] = sum;
}

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(2);
}

int expected(const int* in, int i) { return 10 * in[i]; }

int main() {
  int *in, *out;  // managed memory, which the CPU and the GPU can both use
  check(cudaMallocManaged(&in, kCount * sizeof(int)));
  check(cudaMallocManaged(&out, kCount * sizeof(int)));
  for (int i = 0; i < kCount; ++i) {
    in[i] = i;
    out[i] = -1;
  }

  sumOfMultiples<<<1, kCount>>>(in, out);  // one block of 32 threads
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());  // waits until the kernel has ended

  int i = 0;
  while (i < kCount && out[i] == expected(in, i)) ++i;
  if (i < kCount) std::printf("out[%d] is %d, but should be %d\n", i, out[i], expected(in, i));
  check(cudaFree(in));
  check(cudaFree(out));
  return i < kCount;
}
