// The kernel of step 05 for one tile: 32 bodies of I, one in each lane, and 32 bodies of J whose sums go from lane to lane. In a
// tile on the diagonal (NBODY_DIAGONAL, from seen.py), the bodies of J are those of I.
#include "05_triangular_map/pairs.cuh"

using namespace nbody;
using namespace nbody::triangular;

struct OneTile {  // as a map gives it to a block
  static constexpr bool kTriangle = NBODY_DIAGONAL;
  __device__ Tile operator()(unsigned, unsigned) const { return {0, 0}; }
};

int main() {
  real4 *bodies, *sources, *sums;
  cudaMallocManaged(&bodies, kWarp * sizeof(real4));
  cudaMallocManaged(&sources, kWarp * sizeof(real4));
  cudaMallocManaged(&sums, kWarp * sizeof(real4));
  for (int i = 0; i < kWarp; ++i) {
    bodies[i] = {real(i), 0, 0, 1};
    sources[i] = {real(i), 1, 0, 1};
  }
  const PairSums result = {0, 1, kWarp, kWarp, sums, sums};
  const std::size_t bytes = kWarp * (2 * sizeof(real4) + 3 * sizeof(real));
  forcesKernel<1, false>
      <<<1, kWarp, bytes>>>(OneTile{}, bodies, kWarp, sources, kWarp, real(1), result);
  const cudaError_t status = cudaDeviceSynchronize();
  cudaFree(bodies);
  cudaFree(sources);
  cudaFree(sums);
  return status != cudaSuccess;
}
