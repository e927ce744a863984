// Kind: serial loop
// Task: 0.1
// Tries: a kernel of one thread that sums all forces one after another.
// Stopped by: the checker's clock of each thread.
#include "program_sum.hpp"

__global__ void serialKernel(const float* bodies, int count, float* sums) {
  for (int i = 0; i < count; ++i) {
    float x = 0, y = 0, z = 0;
    for (int j = 0; j < count; ++j) {
      const float dx = bodies[4 * j] - bodies[4 * i], dy = bodies[4 * j + 1] - bodies[4 * i + 1],
                  dz = bodies[4 * j + 2] - bodies[4 * i + 2];
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
      const float pull = bodies[4 * j + 3] * inverse * inverse * inverse;
      x += pull * dx;
      y += pull * dy;
      z += pull * dz;
    }
    sums[3 * i] = x;
    sums[3 * i + 1] = y;
    sums[3 * i + 2] = z;
  }
}

int main(int, char** argv) {
  const Program program(argv);
  std::vector<float> found(3 * program.count);
  float *bodies, *sums;
  const std::size_t bytes = found.size() * sizeof(float);
  if (cudaMalloc(&bodies, program.bytes()) || cudaMalloc(&sums, bytes)) return 1;
  if (cudaMemcpy(bodies, program.bodies.data(), program.bytes(), cudaMemcpyHostToDevice)) return 1;
  serialKernel<<<1, 1>>>(bodies, program.count, sums);
  if (cudaMemcpy(found.data(), sums, bytes, cudaMemcpyDeviceToHost)) return 1;
  if (cudaFree(bodies) || cudaFree(sums)) return 1;
  print(found);
}
