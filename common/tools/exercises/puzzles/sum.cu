// Puzzle 5: a sum in three rounds
//
// Eight threads add up eight numbers in shared memory. In round one, thread 0 adds part[4] to part[0], thread 1
// adds part[5] to part[1], and so on up to thread 3. Then 2 threads add what is 2 apart, then one thread
// adds the last two. Write what thread t does in each round.
#include <cstdio>
#include <cstdlib>

constexpr int kCount = 8;

__global__ void sum(const int* in, int* out) {
  __shared__ int part[kCount];
  int t = threadIdx.x;
  part[t] = in[t];
  for (int apart = kCount / 2; apart > 0; apart /= 2) {
    __syncthreads();
    // YOUR LINE
  }
  if (t == 0) out[0] = part[0];
}

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(2);
}

int expected(const int* in, int) {
  int sum = 0;
  for (int i = 0; i < kCount; ++i) sum += in[i];
  return sum;
}

int main() {
  int *in, *out;  // managed memory, which the CPU and the GPU can both use
  check(cudaMallocManaged(&in, kCount * sizeof(int)));
  check(cudaMallocManaged(&out, 1 * sizeof(int)));
  for (int i = 0; i < kCount; ++i) in[i] = i * i;
  for (int i = 0; i < 1; ++i) out[i] = -1;

  sum<<<1, kCount>>>(in, out);  // one block of 8 threads
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());  // waits until the kernel has ended

  int i = 0;
  while (i < 1 && out[i] == expected(in, i)) ++i;
  if (i < 1) std::printf("out[%d] is %d, but should be %d\n", i, out[i], expected(in, i));
  check(cudaFree(in));
  check(cudaFree(out));
  return i < 1;
}
