/// \file
/// What a movie keeps of the bodies at one moment.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bodies/bodies.hpp"

namespace nbody {

/// Positions of the chosen bodies in 16 bits a coordinate, within the box that holds them.
struct Frame {
  std::array<double, 3> low;  ///< the box's corner of least x, y, z
  std::array<double, 3> step;  ///< from one 16-bit number to the next: the box's side / 65,535
  std::vector<std::uint16_t> positions;  ///< x, y, z of each; the coordinate is low + number * step
};

/// The positions of \p bodies that \p chosen lists. A coordinate comes back to half a step, and
/// rounding in double precision.
Frame makeFrame(const Bodies& bodies, const std::vector<int>& chosen);

/// At most \p most indices of \p count bodies, evenly over them: the k-th of m is k count / m.
std::vector<int> evenlyChosen(int count, int most);

/// How many of evenlyChosen(count, most) lie before body \p end.
int chosenBefore(int end, int count, int most);

}  // namespace nbody
