/// \file
/// What a texture object is on the executor, and which of its texels a fetch reads.
#pragma once

#include <cstddef>

/// As a program passes it to kernels.
typedef unsigned long long cudaTextureObject_t;

namespace nbody::executor {

enum class AddressMode : unsigned char { wrap, clamp, mirror, border };
enum class ChannelKind : unsigned char { signedInteger, unsignedInteger, floating };

struct Texture {
  const char* texels;  ///< x fastest
  std::size_t rowBytes, sliceBytes;
  int extent[3];  ///< in texels; 1 in a direction that it does not have
  int channels;  ///< 1, 2 or 4
  int channelBytes;  ///< 1, 2 or 4
  ChannelKind kind;
  AddressMode mode[3];
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
  const char* texel[8];
  float weight[8];
};

/// Of a fetch at \p x, \p y, \p z of which the first \p dimensions count.
Footprint footprint(cudaTextureObject_t object, int dimensions, float x, float y, float z);
/// Of a fetch at the texel \p index of memory.
Footprint footprint(cudaTextureObject_t object, int index);
/// The four texels that a linear fetch at \p x, \p y reads, in the order in which a gather gives
/// them: from the lower left round by the lower right.
Footprint gatherFootprint(cudaTextureObject_t object, float x, float y);

/// Keeps \p texture for kernels; 0 where there are too many.
cudaTextureObject_t addTexture(const Texture& texture);
/// False: there is none.
bool removeTexture(cudaTextureObject_t object);

}  // namespace nbody::executor
