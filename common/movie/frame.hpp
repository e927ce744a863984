/// \file
/// Positions of the bodies at one moment, as a movie keeps them and the live view sends them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
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

/// The bodies that are shown, at one moment.
struct ShownBodies {
  std::uint32_t number = 0;  ///< of the frame
  double time = 0;
  std::vector<Double4> positions;  ///< not empty
  std::vector<double> scale = {};  ///< what the colours are of, above 0; empty: no colours
};

/// Little-endian: "NBL1", u32 number, f64 time, f64 low[3], f64 step[3], u32 count, u32
/// flags, u16 positions[count][3]; with flag 1 then f32 lowest, f32 highest, u8 colour[count]: 0 to
/// 255 over the logarithm from the one to the other.
std::string frameBytes(const ShownBodies& bodies);

}  // namespace nbody
