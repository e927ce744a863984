/// \file
/// Axilrod-Teller energy of n bodies: a sum over all triplets, with maps of the tetrahedron.
#pragma once

#include <vector>

#include "05_triangular_map/study/map_point.hpp"
#include "bodies/bodies.hpp"

namespace nbody::inline NBODY_PRECISION::triangular {

/// Bodies per side of a cell, the cube of 512 triplets that a block computes. Source of the energy:
/// Axilrod and Teller (1943), Journal of Chemical Physics 11, 299.
inline constexpr int kCellSide = 8;

/// Result of a block for its cell.
struct CellSum {
  double energy;  ///< in units of the coefficient nu, which is 1, over length to the ninth
  long long triplets;
};

/// Result of the host for a cell, in FP64.
struct CellReference {
  double energy;
  double scale;  ///< sum of 1 / (r_ij r_ik r_jk)^3; errors are relative to it
  long long triplets;
};

/// Returns a result per cell: layer, row, column in the tetrahedron's order; length T(m), with m =
/// n / kCellSide rounded up. Bodies are in FP32, as on the GPU.
std::vector<CellReference> referenceTriplets(const std::vector<float4>& bodies);

struct TripletPoint : MapPoint {
  double energy = 0;
  double error = 0;  ///< largest error of a cell, relative to its scale
};

/// Returns the names of the maps, in the order of the table; the box comes first.
std::vector<std::string> tripletMaps();

/// Throws BadInput if \p n bodies need more device memory than is free.
void checkTripletMemory(int n);

/// Computes the energy of \p bodies with each of \p maps. The first map is the box.
/// \param repeats  measurements of each time, on a GPU; 0: only checks
std::vector<TripletPoint> studyTriplets(const Bodies& bodies,
                                        const std::vector<std::string>& maps,
                                        int repeats);

}  // namespace nbody::inline NBODY_PRECISION::triangular
