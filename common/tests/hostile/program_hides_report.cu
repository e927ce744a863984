// Kind: report that is hidden
// Task: 0.1
// Tries: to close its standard error and to end before the checker's reports, with a launch that
//   failed and memory that is never freed.
// Stopped by: the grader's own line, which is not printed then either.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

__global__ void noKernel() {}

int main(int, char** argv) {
  close(2);
  void* memory;
  cudaMalloc(&memory, 4096);
  noKernel<<<1, 4096>>>();
  for (int i = 0; i < std::atoi(argv[1]); ++i) std::puts("a = 0 0 0");
  std::fflush(stdout);
  _exit(0);
}
