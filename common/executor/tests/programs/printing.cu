// printf() of kernels has CUDA's result, the number of arguments that the format takes; that of host code has C's.
#include <cstdio>

__global__ void print(const char* null) {
  const int results[] = {printf("%d of %*d%%\n", 1, 4, 2), std::printf("none\n"),
                         ::printf("%s|%5.2f|%lld\n", "s", 1.5, 2ll), printf(null)};
  if (results[1] == 0) printf("%d %d %d %d\n", results[0], results[1], results[2], results[3]);
}

int main() {
  print<<<1, 1>>>(nullptr);
  cudaDeviceSynchronize();
  printf("%d\n", printf("host\n"));
}
// prints: 1 of    2%
// prints: none
// prints: s| 1.50|2
// prints: 3 0 3 -1
// prints: host
// prints: 5
