// Kind: kernel that tells the host
// Tries: a kernel that prints the bodies, and a host that has put a file of its own in the place of
//   what is printed.
// Stopped by: the grader: a submission has no files.
// Calls: checked
// Trusted: 0
#include "host_sum.hpp"

__global__ void printKernel(const real4* bodies, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const real4 b = bodies[i];
  printf("%d %a %a %a %a\n", i, b.x, b.y, b.z, b.w);
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  std::fflush(stdout);
  if (std::freopen("/tmp/printed", "w+", stdout) == nullptr) refused("freopen");
  printKernel<<<blocksFor(count, 128), 128, 0, stream()>>>(call.bodies.data(), count);
  CUDA_CHECK(cudaGetLastError());
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  std::fflush(stdout);
  std::vector<real4> bodies(count);
  std::ifstream file("/tmp/printed");
  for (std::string line; std::getline(file, line);) {
    char* text = line.data();
    const long i = std::strtol(text, &text, 10);
    if (i < 0 || i >= count) throw std::runtime_error("odd line " + line);
    for (real* one : {&bodies[i].x, &bodies[i].y, &bodies[i].z, &bodies[i].w})
      *one = std::strtof(text, &text);
  }
  hostAnswer(call, bodies.data());
}
