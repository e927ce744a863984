/// \file
/// Numbers in a file's order of bytes, on machines of either order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

namespace nbody {

/// Converts a number from the machine's order of bytes to \p order, or back.
template <class Number>
Number reordered(Number number, std::endian order) {
  auto bytes = std::bit_cast<std::array<std::byte, sizeof number>>(number);
  if (order != std::endian::native) std::ranges::reverse(bytes);
  return std::bit_cast<Number>(bytes);
}

}  // namespace nbody
