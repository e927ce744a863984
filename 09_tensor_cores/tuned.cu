/// \file
/// Step 09 with each pair once: a matrix S gives the forces of two tiles on each other, and near
/// tiles are computed as in step 05. The suite's fastest sum over all pairs.
#include "09_tensor_cores/far.cuh"
#include "09_tensor_cores/near.cuh"
#include "driver/step.hpp"

namespace nbody::inline NBODY_PRECISION::tensor::tuned {

/// Device memory, kept from one evaluation to the next.
struct Workspace {
  SortedTiles tiles;
  DeviceBuffer<float4> local{"bodies from their tile's centre"};
  DeviceBuffer<uint4> parts{"coordinates in two parts"};
  DeviceBuffer<uint2> weights{"weights in two parts"};
  DeviceBuffer<TileScale> scales{"scales of tiles"};
  DeviceBuffer<Tile> nearPairs{"near pairs of tiles"};
  DeviceBuffer<int> nearCount{"the number of near pairs"};
  DeviceBuffer<float4> sums{"accelerations in the space-filling order"};
  StoredSums stored;
};

std::shared_ptr<Workspace> makeWorkspace() { return std::make_shared<Workspace>(); }

namespace {

constexpr int kColumns = 8;  // per block; the fragments and sums of its rows stay in registers
constexpr int kNearBlocks = 16;  // per multiprocessor

/// Returns for how many rows a list of pairs fits \p bytes, at least one.
int rowsOfList(std::size_t bytes, int tiles) {
  constexpr std::size_t kMost = 64 << 20;
  return std::clamp<std::size_t>(std::min(bytes, kMost) / (sizeof(Tile) * tiles), 1, tiles);
}

/// Thread i writes the acceleration at place i to its body. Shared memory, barriers: none.
__global__ void returnKernel(Tiles tiles,
                             const float4* __restrict__ sums,
                             float4* __restrict__ accelerations) {
  const int place = blockIdx.x * blockDim.x + threadIdx.x;
  if (place < tiles.bodies) accelerations[tiles.order[place]] = sums[place];
}

Halves halvesOf(const Tiles& tiles, Workspace& memory) {
  const std::size_t capacity = std::size_t(tiles.count()) * kTile;
  const Halves halves = {memory.local.reserve(capacity),
                         memory.parts.reserve(capacity),
                         memory.weights.reserve(2 * capacity),
                         memory.scales.reserve(tiles.count())};
  halvesKernel<<<tiles.count(), kTile, 0, stream()>>>(tiles, halves);
  CUDA_CHECK(cudaGetLastError());
  return halves;
}

/// Queues the forces of some rows of tiles on each other and on all earlier tiles.
void addRows(const Tiles& tiles,
             const Halves& halves,
             float softeningSquared,
             bool ordered,
             const PairSums& result,
             Workspace& memory) {
  const int rows = result.endRow - result.firstRow;
  const NearList list = {memory.nearPairs.reserve(std::size_t(rows) * tiles.count()),
                         memory.nearCount.reserve(1)};
  fillDevice(list.count, 0, sizeof(int));
  const dim3 all = foldedGrid(rows, blocksFor(result.endRow, kTile));
  nearListKernel<<<all, kTile, 0, stream()>>>(tiles, result.firstRow, list);
  nearKernel<<<kNearBlocks * multiprocessors(), kNearThreads, kNearBytes, stream()>>>(
      tiles, softeningSquared, list, result);
  const int columns = ordered ? 1 : kColumns;  // stored sums belong to one pair of tiles
  const dim3 blocks = foldedGrid(rows, blocksFor(result.endRow, columns));
  farKernel<<<blocks, kFarThreads, sizeof(FarMemory), stream()>>>(
      tiles, halves, columns, softeningSquared, result);
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations,
                   Workspace& memory) {
  CUDA_CHECK(cudaFuncSetAttribute(
      farKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(FarMemory)));
  const Tiles tiles = memory.tiles.make(bodies, options.largestShare());
  const Halves halves = halvesOf(tiles, memory);
  const int count = tiles.bodies, tileCount = tiles.count();
  float4* sums = memory.sums.reserve(count);
  fillDevice(sums, 0, count * sizeof(float4));
  const std::size_t capacity = static_cast<std::size_t>(options.storedMib) << 20;
  const int rows = options.ordered ? StoredSums::rowsWithin(capacity, tileCount, kTile)
                                   : rowsOfList(capacity, tileCount);
  for (int first = 0; first < tileCount; first += rows) {
    PairSums result = {first, std::min(first + rows, tileCount), kTile, count, sums, sums};
    if (options.ordered) result = memory.stored.stored(result, tileCount);
    addRows(tiles, halves, softeningSquared, options.ordered, result, memory);
    if (options.ordered) addInOrder<<<blocksFor(count, kTile), kTile, 0, stream()>>>(result);
  }
  returnKernel<<<blocksFor(count, kTile), kTile, 0, stream()>>>(tiles, sums, accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace nbody::inline NBODY_PRECISION::tensor::tuned
