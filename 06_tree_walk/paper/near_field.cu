#include "06_tree_walk/paper/near_field.hpp"

#include "06_tree_walk/interaction.cuh"
#include "base/host_memory.hpp"
#include "bodies/random.hpp"
#include "driver/compiled_values.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

namespace {

/// Block (c, p) sums the forces on part p of the bodies of cell c. Thread t has kBodies of them,
/// with stride blockDim.x. All use the same tile of sources in shared memory.
/// \param bodies         x, y, z, mass; length grid.count()
/// \param accelerations  out: x, y, z, 0; length grid.count()
/// Shared memory: a body per thread. Barriers: 2 per tile; a block's threads have the same tiles.
template <int kBodies>
__global__ void nearFieldKernel(CellGrid grid,
                                const real4* __restrict__ bodies,
                                real softeningSquared,
                                real4* __restrict__ accelerations) {
  extern __shared__ real4 tile[];
  const int threads = blockDim.x;
  const int cell = blockIdx.x;
  const int first = blockIdx.y * threads * kBodies + threadIdx.x;
  real4 body[kBodies];
  real3 sums[kBodies];
  for (int k = 0; k < kBodies; ++k) {
    // A thread past the end repeats the last body.
    body[k] = bodies[cell * grid.bodies + min(first + k * threads, grid.bodies - 1)];
    sums[k] = {0, 0, 0};
  }
  for (int n = 0; n < 27; ++n) {
    const Neighbour neighbour = neighbourOf(grid, cell, n);
    if (neighbour.number < 0) continue;
    const real4* sources = bodies + neighbour.number * grid.bodies;
    for (int start = 0; start < grid.bodies; start += threads) {
      const int j = start + threadIdx.x;
      tile[threadIdx.x] = j < grid.bodies ? imageOf(sources[j], neighbour.shift)
                                          : real4{0, 0, 0, 0};  // no mass: no pull
      __syncthreads();  // the tile is whole before any thread reads it
#pragma unroll 8
      for (int t = 0; t < threads; ++t)
        for (int k = 0; k < kBodies; ++k)
          sums[k] = interaction(body[k], tile[t], sums[k], softeningSquared);
      __syncthreads();  // and read, before the next replaces it
    }
  }
  for (int k = 0; k < kBodies; ++k) {
    const int i = first + k * threads;
    if (i < grid.bodies)
      accelerations[cell * grid.bodies + i] = {sums[k].x, sums[k].y, sums[k].z, 0};
  }
}

void compute(const NearFieldRun& run,
             const DeviceArray<real4>& bodies,
             DeviceArray<real4>& accelerations) {
  const auto kernel = CompiledValues<1, 2, 4>::select(
      run.bodiesPerThread, [](auto bodies) { return &nearFieldKernel<bodies.value>; });
  const unsigned parts = blocksFor(run.grid.bodies, run.block * run.bodiesPerThread);
  const dim3 blocks(run.grid.cells(), parts);
  const real softeningSquared = run.softening * run.softening;
  kernel<<<blocks, run.block, run.block * sizeof(real4), stream()>>>(
      run.grid, bodies.data(), softeningSquared, accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void checkNearFieldMemory(const CellGrid& grid) {
  const std::size_t needed = 2 * sizeof(real4) * grid.count();
  requireMemory("--cells and --cell-bodies", grid.count(), "device", needed, freeDeviceBytes());
}

std::vector<real4> bodiesOf(const CellGrid& grid, std::uint64_t seed) {
  Random random(seed);
  const auto within = [&](int cell) { return static_cast<real>(random.uniform(cell, cell + 1)); };
  std::vector<real4> bodies;
  bodies.reserve(grid.count());
  for (int z = 0; z < grid.side; ++z)
    for (int y = 0; y < grid.side; ++y)
      for (int x = 0; x < grid.side; ++x)
        for (int k = 0; k < grid.bodies; ++k)
          bodies.push_back(
              {within(x), within(y), within(z), static_cast<real>(random.uniform(0.5, 1.5))});
  return bodies;
}

std::vector<real4> nearField(const NearFieldRun& run, const std::vector<real4>& bodies) {
  DeviceArray<real4> positions(bodies.size(), "bodies");
  DeviceArray<real4> accelerations(bodies.size(), "accelerations");
  positions.upload(bodies);
  accelerations.poison();
  compute(run, positions, accelerations);
  return accelerations.download();
}

NearFieldResult studyNearField(const NearFieldRun& run, [[maybe_unused]] int repeats) {
  const std::vector<real4> bodies = bodiesOf(run.grid, run.seed);
  NearFieldResult result = {{}, checkNearField(run, bodies, nearField(run, bodies))};
#ifdef NBODY_GPU
  DeviceArray<real4> positions(bodies.size(), "bodies");
  DeviceArray<real4> accelerations(bodies.size(), "accelerations");
  positions.upload(bodies);
  result.time = timeOnDevice([&] { compute(run, positions, accelerations); }, repeats);
#endif
  return result;
}

}  // namespace nbody::inline NBODY_PRECISION::walk
