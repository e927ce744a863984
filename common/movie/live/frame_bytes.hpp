/// \file
/// A frame as it goes to the page.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuda/real.hpp"

namespace nbody {

/// The bodies that are shown, at one moment.
struct ShownBodies {
  std::uint32_t number = 0;  ///< of the frame
  double time = 0;
  std::vector<Double4> positions;  ///< not empty
  std::vector<double> scale = {};  ///< what the colours are of, above 0; empty: no colours
};

/// Little-endian: "NBL1", u32 number, f64 time, f64 low[3], f64 step[3] (frame.hpp), u32 count, u32
/// flags, u16 positions[count][3]; with flag 1 then f32 lowest, f32 highest, u8 colour[count]: 0 to
/// 255 over the logarithm from the one to the other.
std::string frameBytes(const ShownBodies& bodies);

}  // namespace nbody
