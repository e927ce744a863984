/// \file
/// A cudaArray: texels in memory of the device, x fastest, without gaps.
#pragma once

#include "executor/runtime/texture_types.hpp"

struct cudaArray {
  char* texels;
  cudaChannelFormatDesc format;
  std::size_t width, height;  ///< in texels, as the program gave them

  std::size_t texelBytes() const {
    return static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
  }
  std::size_t rowBytes() const { return width * texelBytes(); }
  std::size_t rows() const { return height > 0 ? height : 1; }
};

namespace nbody::executor::runtime {

/// Whether a texel of these channels can be: 1, 2 or 4 of as many bits each, 8, 16 or 32, floats
/// not of 8.
bool isFormat(const cudaChannelFormatDesc& format);

/// Whether \p array is one that the program has and has not freed.
bool isArray(const cudaArray* array);

}  // namespace nbody::executor::runtime
