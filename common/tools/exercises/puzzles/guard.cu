// Puzzle 2: more threads than elements
//
// Two blocks of 8 threads work on 10 elements, so the last 6 threads have no element. `i` counts the
// threads of both blocks, from 0 to 15. Add 10 to element i, but only if there is an element i.
#include <cstdio>
#include <cstdlib>

constexpr int kCount = 10, kThreads = 8;

__global__ void addTen(const int* in, int* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
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

  addTen<<<2, kThreads>>>(in, out, kCount);  // two blocks of 8 threads
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());  // waits until the kernel has ended

  int i = 0;
  while (i < kCount && out[i] == expected(in, i)) ++i;
  if (i < kCount) std::printf("out[%d] is %d, but should be %d\n", i, out[i], expected(in, i));
  check(cudaFree(in));
  check(cudaFree(out));
  return i < kCount;
}
