// Puzzle 3: a matrix is one long array
//
// `in` has 4 rows of 8 numbers, one row after the other: row 1 begins at in[8]. The thread (x, y) belongs
// to column x of row y. Each thread adds the number of its row, y, to its own element.
#include <cstdio>
#include <cstdlib>

constexpr int kWidth = 8, kHeight = 4, kCount = kWidth * kHeight;

__global__ void addRow(const int* in, int* out, int width, int height) {
  int x = threadIdx.x, y = threadIdx.y;
  // YOUR LINE
}

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(2);
}

int expected(const int* in, int i) { return in[i] + i / kWidth; }

int main() {
  int *in, *out;  // managed memory, which the CPU and the GPU can both use
  check(cudaMallocManaged(&in, kCount * sizeof(int)));
  check(cudaMallocManaged(&out, kCount * sizeof(int)));
  for (int i = 0; i < kCount; ++i) {
    in[i] = 10 * i;
    out[i] = -1;
  }

  addRow<<<1, dim3(kWidth, kHeight)>>>(in, out, kWidth, kHeight);  // one block of 8 x 4 threads
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());  // waits until the kernel has ended

  int i = 0;
  while (i < kCount && out[i] == expected(in, i)) ++i;
  if (i < kCount) std::printf("out[%d] is %d, but should be %d\n", i, out[i], expected(in, i));
  check(cudaFree(in));
  check(cudaFree(out));
  return i < kCount;
}
