// Puzzle 6: running totals
//
// out[i] should be in[0] + ... + in[i]. In each round, thread t adds the number that stands `apart` places to its
// left, if there is one: first 1 place, then 2, then 4. Write what `left` is. It is 0 if there is no such number.
#include <cstdio>
#include <cstdlib>

constexpr int kCount = 8;

__global__ void runningTotals(const int* in, int* out) {
  __shared__ int sum[kCount];
  int t = threadIdx.x;
  sum[t] = in[t];
  for (int apart = 1; apart < kCount; apart *= 2) {
    __syncthreads();
    int left = 0;  // YOUR LINE: replace the 0
    __syncthreads();
    sum[t] += left;
  }
  out[t] = sum[t];
}

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(2);
}

int expected(const int* in, int i) { return in[i] + (i > 0 ? expected(in, i - 1) : 0); }

int main() {
  int *in, *out;  // managed memory, which the CPU and the GPU can both use
  check(cudaMallocManaged(&in, kCount * sizeof(int)));
  check(cudaMallocManaged(&out, kCount * sizeof(int)));
  for (int i = 0; i < kCount; ++i) {
    in[i] = i + 1;
    out[i] = -1;
  }

  runningTotals<<<1, kCount>>>(in, out);  // one block of 8 threads
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());  // waits until the kernel has ended

  int i = 0;
  while (i < kCount && out[i] == expected(in, i)) ++i;
  if (i < kCount) std::printf("out[%d] is %d, but should be %d\n", i, out[i], expected(in, i));
  check(cudaFree(in));
  check(cudaFree(out));
  return i < kCount;
}
