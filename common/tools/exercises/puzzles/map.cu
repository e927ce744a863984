// Puzzle 1: one thread for each element
//
// Eight threads run addTen() at the same time. threadIdx.x is the number of the thread: 0 in the first
// thread, 7 in the last. Each thread adds 10 to its own element of `in`, and stores the sum in its own
// element of `out`.
#include <cstdio>
#include <cstdlib>

constexpr int kCount = 8;

__global__ void addTen(const int* in, int* out) {
  // YOUR LINE
}

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(2);
}

int expected(const int* in, int i) { return in[i] + 10; }

int main() {
  int *in, *out;  // managed memory, which the CPU and the GPU can both use
  check(cudaMallocManaged(&in, kCount * sizeof(int)));
  check(cudaMallocManaged(&out, kCount * sizeof(int)));
  for (int i = 0; i < kCount; ++i) {
    in[i] = i * i;
    out[i] = -1;
  }

  addTen<<<1, kCount>>>(in, out);  // one block of 8 threads
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());  // waits until the kernel has ended

  int i = 0;
  while (i < kCount && out[i] == expected(in, i)) ++i;
  if (i < kCount) std::printf("out[%d] is %d, but should be %d\n", i, out[i], expected(in, i));
  check(cudaFree(in));
  check(cudaFree(out));
  return i < kCount;
}
