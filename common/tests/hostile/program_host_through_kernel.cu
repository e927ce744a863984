// Kind: work of the host
// Task: 0.1
// Tries: the same, and a kernel that copies what the host has computed, so that one has written it.
// Stopped by: the same: what the host had brought to the device does not count.
#include "program_sum.hpp"

int main(int, char** argv) {
  const Program program(argv);
  program.readAll();
  std::vector<float> found = program.hostSum();
  float *from, *to;
  const std::size_t bytes = found.size() * sizeof(float);
  if (cudaMalloc(&from, bytes) || cudaMalloc(&to, bytes)) return 1;
  if (cudaMemcpy(from, found.data(), bytes, cudaMemcpyHostToDevice)) return 1;
  copyKernel<<<16, 256>>>(from, static_cast<int>(found.size()), to);
  if (cudaMemcpy(found.data(), to, bytes, cudaMemcpyDeviceToHost)) return 1;
  if (cudaFree(from) || cudaFree(to)) return 1;
  print(found);
}
