/// \file
/// cuda::aligned_size_t: a number of bytes of which the alignment is promised.
#pragma once

#include <cstddef>

namespace cuda {

template <std::size_t Alignment>
struct aligned_size_t {
  static constexpr std::size_t align = Alignment;
  std::size_t value;
  constexpr explicit aligned_size_t(std::size_t bytes) : value(bytes) {}
  constexpr operator std::size_t() const { return value; }
};

}  // namespace cuda
