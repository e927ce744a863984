// An allocation fails, and the pointer stays as it was. The program looks at the errors, so there is a note.
// notes: not device memory: the destination of cudaMemset\(\) at programs/not_allocated.cu:@set is the variable
// prints: out of memory
// prints: invalid argument
#include <cstdio>

int main() {
  static int host[4];
  int* p = host;
  printf("%s\n", cudaGetErrorString(cudaMalloc(&p, size_t(1) << 50)));
  printf("%s\n", cudaGetErrorString(cudaMemset(p, 0, 16)));  // @set
}
