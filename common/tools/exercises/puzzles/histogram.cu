// Puzzle 8: count together
//
// Each thread has one number, in[t]. Its group is in[t] % 4. The thread adds 1 to the counter of its group, out[group].
// Several threads have the same group, so adding must be atomic: no other thread may come in between.
#include <cstdio>
#include <cstdlib>

constexpr int kCount = 16, kGroups = 4;

__global__ void countGroups(const int* in, int* out) {
  int t = threadIdx.x;
  int group = in[t] % kGroups;
  // YOUR LINE
}

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(2);
}

int expected(const int* in, int group) {
  int count = 0;
  for (int i = 0; i < kCount; ++i) count += in[i] % kGroups == group;
  return count;
}

int main() {
  int *in, *out;  // managed memory, which the CPU and the GPU can both use
  check(cudaMallocManaged(&in, kCount * sizeof(int)));
  check(cudaMallocManaged(&out, kGroups * sizeof(int)));
  for (int i = 0; i < kCount; ++i) in[i] = i * i + i / 3;
  for (int i = 0; i < kGroups; ++i) out[i] = 0;

  countGroups<<<1, kCount>>>(in, out);  // one block of 16 threads
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());  // waits until the kernel has ended

  int i = 0;
  while (i < kGroups && out[i] == expected(in, i)) ++i;
  if (i < kGroups) std::printf("out[%d] is %d, but should be %d\n", i, out[i], expected(in, i));
  check(cudaFree(in));
  check(cudaFree(out));
  return i < kGroups;
}
