// The kernel of a step for a few bodies in small blocks, so that one picture shows a block. seen.py defines the names in capitals.
#include NBODY_FORCES  // "04_multithread_per_body/forces.cu"

#include "cuda/check.cpp"
#if NBODY_OF_BLOCK < NBODY_THREADS  // only step 04 clears its output
#include "cuda/device_array.cpp"
#endif

using namespace nbody;

int main() {
  constexpr int kThreads = NBODY_THREADS, kOfBlock = NBODY_OF_BLOCK;  // bodies of a block
  real4 *bodies, *accelerations;
  cudaMallocManaged(&bodies, NBODY_BODIES * sizeof(real4));
  cudaMallocManaged(&accelerations, NBODY_BODIES * sizeof(real4));
  for (int i = 0; i < NBODY_BODIES; ++i) bodies[i] = {real(i), real(i * i % 7), real(i % 3), 1};
  if (kOfBlock < kThreads)  // several threads add to an acceleration
    cudaMemset(accelerations, 0, NBODY_BODIES * sizeof(real4));
  const int blocks = (NBODY_BODIES + kOfBlock - 1) / kOfBlock;
  NBODY_KERNEL<<<blocks, kThreads, kThreads * sizeof(real4)>>>(
      bodies, NBODY_BODIES, NBODY_LANES 1, accelerations);
  const cudaError_t status = cudaDeviceSynchronize();
  cudaFree(bodies);
  cudaFree(accelerations);
  return status != cudaSuccess;
}
