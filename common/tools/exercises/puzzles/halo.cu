// Puzzle 9: the neighbour's element
//
// out[i] is the sum of in[i] and its two neighbours. A block of 8 threads reads 8 elements into `tile`, and
// one more on each side: tile[0] is the left neighbour of tile[1]. Write the line that fills tile[0]. One thread
// is enough. The first block has no left neighbour: there it is 0.
#include <cstdio>
#include <cstdlib>

constexpr int kCount = 16, kThreads = 8;

__global__ void sumOfThree(const int* in, int* out) {
  __shared__ int tile[kThreads + 2];
  int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  tile[t + 1] = in[i];
  if (t == kThreads - 1)
    tile[kThreads + 1] = i + 1 < kCount ? in[i + 1] : 0;  // the right neighbour
  // YOUR LINE
  __syncthreads();
  out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(2);
}

int expected(const int* in, int i) {
  return (i > 0 ? in[i - 1] : 0) + in[i] + (i + 1 < kCount ? in[i + 1] : 0);
}

int main() {
  int *in, *out;  // managed memory, which the CPU and the GPU can both use
  check(cudaMallocManaged(&in, kCount * sizeof(int)));
  check(cudaMallocManaged(&out, kCount * sizeof(int)));
  for (int i = 0; i < kCount; ++i) {
    in[i] = i * i;
    out[i] = -1;
  }

  sumOfThree<<<kCount / kThreads, kThreads>>>(in, out);  // two blocks of 8 threads
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());  // waits until the kernel has ended

  int i = 0;
  while (i < kCount && out[i] == expected(in, i)) ++i;
  if (i < kCount) std::printf("out[%d] is %d, but should be %d\n", i, out[i], expected(in, i));
  check(cudaFree(in));
  check(cudaFree(out));
  return i < kCount;
}
