// Kind: gap
// Task: 0.1
// Tries: the same, of halves that the kernel doubles: no word is one that the host had brought.
// Stopped by: nothing yet: a program that draws its own bodies knows them, and what a kernel does with
//   what it is given is not followed.
// Most: 100
#include "program_sum.hpp"

int main(int, char** argv) {
  const Program program(argv);
  program.readAll();
  std::vector<float> found = program.hostSum();
  for (float& number : found) number /= 2;
  float *from, *to;
  const std::size_t bytes = found.size() * sizeof(float);
  if (cudaMalloc(&from, bytes) || cudaMalloc(&to, bytes)) return 1;
  if (cudaMemcpy(from, found.data(), bytes, cudaMemcpyHostToDevice)) return 1;
  doubleKernel<<<16, 256>>>(from, static_cast<int>(found.size()), to);
  if (cudaMemcpy(found.data(), to, bytes, cudaMemcpyDeviceToHost)) return 1;
  if (cudaFree(from) || cudaFree(to)) return 1;
  print(found);
}
