/// \file
/// The near field of a tree's leaves, with all pairs: section 31.6 of GPU Gems 3.
///
/// The bodies are in a cube of cells of side 1. Each cell is a leaf, with the same number of bodies
/// at uniform places. The bodies of a cell and of the 26 cells around it pull on a body.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cuda/cuda.hpp"
#include "measure/timing.hpp"
#include "physics/force_error.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

/// The cube of cells. Cell (x, y, z) has number x + side (y + side z). Bodies follow this order.
struct CellGrid {
  int side;  ///< cells along an edge
  int bodies;  ///< bodies per cell
  bool periodic;  ///< cells at an edge have those of the opposite edge as neighbours

  __host__ __device__ int cells() const { return side * side * side; }
  int count() const { return cells() * bodies; }

  /// Returns the number of pairs. A body's pair with itself counts, as in the chapter.
  double interactions() const {
    const double alongAnEdge = periodic ? 3.0 * side : side == 1 ? 1 : 3.0 * side - 2;
    return alongAnEdge * alongAnEdge * alongAnEdge * bodies * bodies;
  }
};

/// A neighbouring cell, and how far its image is from it; number -1: there is none.
struct Neighbour {
  int number;
  real3 shift;
};

/// Returns neighbour \p k of 27 of \p cell.
__host__ __device__ inline Neighbour neighbourOf(const CellGrid& grid, int cell, int k) {
  const int side = grid.side;
  const int x = cell % side + k % 3 - 1;
  const int y = cell / side % side + k / 3 % 3 - 1;
  const int z = cell / side / side + k / 9 - 1;
  const int wrappedX = (x + side) % side;
  const int wrappedY = (y + side) % side;
  const int wrappedZ = (z + side) % side;
  const bool inside = x == wrappedX && y == wrappedY && z == wrappedZ;
  if (!inside && !grid.periodic) return {-1, {0, 0, 0}};
  return {wrappedX + side * (wrappedY + side * wrappedZ),
          {real(x - wrappedX), real(y - wrappedY), real(z - wrappedZ)}};
}

/// Returns a body's image, rounded as on the device.
__host__ __device__ inline real4 imageOf(real4 body, real3 shift) {
  return {body.x + shift.x, body.y + shift.y, body.z + shift.z, body.w};
}

struct NearFieldRun {
  CellGrid grid;
  int block;  ///< threads
  int bodiesPerThread;  ///< 1, 2 or 4
  double softening;
  std::uint64_t seed;
};

struct NearFieldResult {
  std::optional<Timing> time;  ///< time of the near field of all bodies, on a GPU
  ForceError error;
};

/// Throws BadInput if \p grid needs more device memory than is free.
void checkNearFieldMemory(const CellGrid& grid);

/// Returns the bodies of the cells, with masses from 0.5 to 1.5.
std::vector<real4> bodiesOf(const CellGrid& grid, std::uint64_t seed);

/// Returns x, y, z, 0 of the acceleration of each of \p bodies. Its memory is poisoned before.
std::vector<real4> nearField(const NearFieldRun& run, const std::vector<real4>& bodies);

/// Compares \p accelerations with FP64.
ForceError checkNearField(const NearFieldRun& run,
                          const std::vector<real4>& bodies,
                          const std::vector<real4>& accelerations);

/// Computes, checks and, on a GPU, times the near field, with \p repeats measurements.
NearFieldResult studyNearField(const NearFieldRun& run, int repeats);

}  // namespace nbody::inline NBODY_PRECISION::walk
