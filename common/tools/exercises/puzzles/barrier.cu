// Puzzle 4: wait for the others
//
// A __shared__ array belongs to all threads of a block. Each thread fills one element of `tile`, and then
// reads an element that another thread fills. On a GPU that thread may be late. Write the line that makes
// all threads of the block wait for each other.
#include <cstdio>
#include <cstdlib>

constexpr int kCount = 64;

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[kCount];
  int t = threadIdx.x;
  tile[t] = in[t];
  // YOUR LINE
  out[t] = tile[kCount - 1 - t];
}

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(2);
}

int expected(const int* in, int i) { return in[kCount - 1 - i]; }

int main() {
  int *in, *out;  // managed memory, which the CPU and the GPU can both use
  check(cudaMallocManaged(&in, kCount * sizeof(int)));
  check(cudaMallocManaged(&out, kCount * sizeof(int)));
  for (int i = 0; i < kCount; ++i) {
    in[i] = 10 * i;
    out[i] = -1;
  }

  reverse<<<1, kCount>>>(in, out);  // one block of 64 threads
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());  // waits until the kernel has ended

  int i = 0;
  while (i < kCount && out[i] == expected(in, i)) ++i;
  if (i < kCount) std::printf("out[%d] is %d, but should be %d\n", i, out[i], expected(in, i));
  check(cudaFree(in));
  check(cudaFree(out));
  return i < kCount;
}
