// An allocation fails, and nobody looks: the pointer stays as it was.
// reports: not device memory: the destination of cudaMemset\(\) at programs/not_allocated.cu:@set is the variable
// prints: out of memory
// prints: invalid argument
// status: 1
#include <cstdio>

int main() {
  static int host[4];
  int* p = host;
  printf("%s\n", cudaGetErrorString(cudaMalloc(&p, size_t(1) << 50)));
  printf("%s\n", cudaGetErrorString(cudaMemset(p, 0, 16)));  // @set
}
