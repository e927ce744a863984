/// \file
/// Texture objects of the executor, and the texels that a fetch reads.
#pragma once

#include <cstddef>

/// Handle of a texture object, as a program passes it to kernels.
typedef unsigned long long cudaTextureObject_t;

namespace nbody::executor {

enum class AddressMode : unsigned char { wrap, clamp, mirror, border };
enum class ChannelKind : unsigned char { signedInteger, unsignedInteger, floating };

struct Texture {
  const char* texels;  ///< x fastest
  std::size_t rowBytes;
  int extent[2];  ///< in texels; 1 in a direction that it does not have
  int channels;  ///< 1, 2 or 4
  int channelBytes;  ///< 1, 2 or 4
  ChannelKind kind;
  AddressMode mode[2];
  bool isFiltered;  ///< linear, rather than the nearest texel
  bool hasNormalizedCoordinates;  ///< from 0 to 1 rather than to the extent
  bool givesFractions;  ///< integers of 8 or 16 bits read as fractions of the greatest
  float border[4];

  std::size_t texelBytes() const { return static_cast<std::size_t>(channels) * channelBytes; }
  bool givesFloat() const { return givesFractions || kind == ChannelKind::floating; }
};

/// The texels that a fetch reads, null where it is the border, and their weights.
struct Footprint {
  Texture texture;  ///< by value: kernels may read no memory of the host
  int count;
  const char* texel[4];
  float weight[4];
};

/// For a fetch at \p x and \p y; a fetch of one dimension uses \p x alone.
Footprint footprint(cudaTextureObject_t object, int dimensions, float x, float y);
/// Footprint of a fetch at the texel \p index of memory.
Footprint footprint(cudaTextureObject_t object, int index);

/// Keeps \p texture for kernels; 0 where there are too many.
cudaTextureObject_t addTexture(const Texture& texture);
/// False: there is none.
bool removeTexture(cudaTextureObject_t object);

}  // namespace nbody::executor
