/// \file
/// Bodies sorted along Hilbert's curve, with step 07's keys and sort: a tile's bodies are close.
#pragma once

#include "07_device_tree/tree/keys.cuh"
#include "09_tensor_cores/boxes.cuh"
#include "base/bad_input.hpp"
#include "base/text.hpp"
#include "cuda/launch.hpp"

namespace nbody::inline NBODY_PRECISION::tensor {

/// Bodies in the order of the curve, and their tiles.
struct Tiles {
  int bodies;  ///< N
  const int* order;  ///< number of the body at each place
  const float4* sorted;  ///< x, y, z, mass; padded to the end of the last tile
  const TileBox* boxes;

  __host__ __device__ int count() const { return tilesOf(bodies); }
};

/// Throws BadInput if the GPU lacks the products that the step uses.
inline void requireTensorCores() {
  int device = 0, major = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  if (major < 8)
    throw BadInput(formatted(
        "step 09 needs tensor cores of compute capability 8.0 or later; this GPU has %d", major));
}

/// Memory of the tiles, kept from one evaluation to the next.
class SortedTiles {
 public:
  SortedTiles() { requireTensorCores(); }

  /// Queues the sort and the making of boxes on the suite's stream.
  /// \param largestShare  see heavyTilesKernel()
  Tiles make(const DeviceArray<float4>& bodies, double largestShare) {
    const int count = static_cast<int>(bodies.size()), tiles = tilesOf(count);
    const int blocks = std::min(tree::kMostParts, tiles);
    keys_.reserve(count);
    tree::Bounds* parts = parts_.reserve(tree::kMostParts);
    tree::TreeState* state = state_.reserve(1);
    tree::boundsKernel<<<blocks, kTile, kTile * sizeof(tree::Bounds), stream()>>>(
        bodies.data(), count, parts);
    tree::rootKernel<<<1, 32, 0, stream()>>>(parts, blocks, state);
    tree::keysKernel<<<tiles, kTile, 0, stream()>>>(
        bodies.data(), count, state, keys_.keysIn(), keys_.placesIn());
    CUDA_CHECK(cudaGetLastError());
    tree::sortByKey(keys_, count);
    const int* order = keys_.order.data();
    float4* sorted = sorted_.reserve(std::size_t(tiles) * kTile);
    TileBox* boxes = boxes_.reserve(tiles);
    boxesKernel<<<tiles, kTile, kTile * sizeof(TileSums), stream()>>>(
        bodies.data(), order, count, sorted, boxes);
    heavyTilesKernel<<<1, kTile, 0, stream()>>>(boxes, tiles, largestShare);
    CUDA_CHECK(cudaGetLastError());
    return {count, order, sorted, boxes};
  }

 private:
  tree::KeySort keys_;
  DeviceBuffer<tree::Bounds> parts_{"boxes of parts of the bodies"};
  DeviceBuffer<tree::TreeState> state_{"the box of all bodies"};
  DeviceBuffer<float4> sorted_{"bodies in the space-filling order"};
  DeviceBuffer<TileBox> boxes_{"boxes of tiles"};
};

}  // namespace nbody::inline NBODY_PRECISION::tensor
