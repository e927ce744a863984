/// \file
/// Positions of the bodies at one moment, as movies store them and the live view sends them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "bodies/bodies.hpp"

namespace nbody {

/// Positions of the chosen bodies in 16 bits per coordinate, in the box that contains them.
struct Frame {
  std::array<double, 3> low;  ///< corner of the box with the least x, y, z
  std::array<double, 3> step;  ///< between two neighbouring 16-bit numbers: the box's side / 65,535
  std::vector<std::uint16_t> positions;  ///< x, y, z of each; the coordinate is low + number * step
};

/// Returns the positions of the bodies that \p chosen lists. A coordinate is exact to half a step,
/// plus rounding in double precision.
Frame makeFrame(const Bodies& bodies, const std::vector<int>& chosen);

/// Returns at most \p most indices of \p count bodies, evenly spread: the k-th of m is k count / m.
std::vector<int> evenlyChosen(int count, int most);

/// Returns how many of evenlyChosen(count, most) are before body \p end.
int chosenBefore(int end, int count, int most);

/// The bodies that are shown at one moment.
struct ShownBodies {
  std::uint32_t number = 0;  ///< number of the frame
  double time = 0;
  std::vector<Double4> positions;  ///< not empty
  std::vector<double> scale = {};  ///< values that become colours, above 0; empty: no colours
};

/// Returns a frame in bytes, little-endian: "NBL1", u32 number, f64 time, f64 low[3], f64 step[3],
/// u32 count, u32 flags, u16 positions[count][3]. With flag 1 also f32 lowest, f32 highest, u8
/// colour[count]: from 0 to 255, logarithmic between lowest and highest.
std::string frameBytes(const ShownBodies& bodies);

}  // namespace nbody
