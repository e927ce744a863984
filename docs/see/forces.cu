// The kernel of the step in NBODY_FORCES for a few bodies in blocks of 4 threads, so that one picture shows a block.
#include NBODY_FORCES  // "02_tiled/forces.cu"

#include "cuda/check.cpp"

using namespace nbody;

int main() {
  constexpr int kThreads = 4;
  real4 *bodies, *accelerations;
  cudaMallocManaged(&bodies, NBODY_BODIES * sizeof(real4));
  cudaMallocManaged(&accelerations, NBODY_BODIES * sizeof(real4));
  for (int i = 0; i < NBODY_BODIES; ++i) bodies[i] = {real(i), real(i * i % 7), real(i % 3), 1};
  const int blocks = (NBODY_BODIES + kThreads - 1) / kThreads;
  forcesKernel<<<blocks, kThreads, kThreads * sizeof(real4)>>>(
      bodies, NBODY_BODIES, 1, accelerations);
  const cudaError_t status = cudaDeviceSynchronize();
  cudaFree(bodies);
  cudaFree(accelerations);
  return status != cudaSuccess;
}
