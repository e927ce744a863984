/// \file
/// Texture objects of the executor, and the texels that a fetch reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "executor/language/always_inline.hpp"
#include "executor/language/conversions.hpp"
#include "executor/language/small_float.hpp"

/// Handle of a texture object, as a program passes it to kernels.
typedef unsigned long long cudaTextureObject_t;

namespace nbody::executor {

enum class AddressMode : unsigned char { wrap, clamp, mirror, border };
enum class ChannelKind : unsigned char { signedInteger, unsignedInteger, floating };

struct Texture {
  const char* texels;  ///< x fastest
  std::size_t rowBytes;
  int extent[2];  ///< in texels; 1 in a direction that does not exist
  int channels;  ///< 1, 2 or 4
  int channelBytes;  ///< 1, 2 or 4
  ChannelKind kind;
  AddressMode mode[2];
  bool isFiltered;  ///< linear instead of the nearest texel
  bool hasNormalizedCoordinates;  ///< from 0 to 1 instead of to the extent
  bool givesFractions;  ///< integers of 8 or 16 bits are read as fractions of the largest one
  float border[4];
  bool isSurface;

  std::size_t texelBytes() const { return static_cast<std::size_t>(channels) * channelBytes; }
  bool givesFloat() const { return givesFractions || kind == ChannelKind::floating; }
};

/// The texels that a fetch reads, null for the border, and their weights.
struct Footprint {
  Texture texture;  ///< a copy, because kernels may not read host memory
  int count;
  const char* texel[4];
  float weight[4];
};

/// Returns the footprint of a fetch at \p x and \p y. A fetch of one dimension uses only \p x.
Footprint footprint(cudaTextureObject_t object, int dimensions, float x, float y);
/// Returns the footprint of a fetch at the texel \p index of memory.
Footprint footprint(cudaTextureObject_t object, int index);

/// Adds a texture or a surface for kernels. Returns 0 if there are too many.
cudaTextureObject_t addTexture(const Texture& texture);
/// Returns false if there is no such object.
bool removeTexture(cudaTextureObject_t object);

// Fetches from texture objects: read a footprint's texels, and convert them for the kernel.
//
// A fetch returns four registers of 32 bits, as on a GPU: float bits if the texture gives numbers
// with fractions, integers otherwise. The kernel's type uses as many as it has.

struct TexelRegisters {
  std::uint32_t bits[4];
};

/// Returns the value of one channel's bits as a register.
inline std::uint32_t channelRegister(const Texture& texture, std::uint32_t raw) {
  const int bits = 8 * texture.channelBytes;
  const bool isSigned = texture.kind == ChannelKind::signedInteger;
  if (texture.kind == ChannelKind::floating)
    return bits == 32 ? raw
                      : bitCast<std::uint32_t>(
                            floatOfSmall(static_cast<std::uint16_t>(raw), HalfFormat{}));
  const auto extended = static_cast<std::int32_t>(raw << (32 - bits)) >> (32 - bits);
  if (!texture.givesFractions) return isSigned ? static_cast<std::uint32_t>(extended) : raw;
  const float greatest = static_cast<float>((1u << (isSigned ? bits - 1 : bits)) - 1);
  const float value = isSigned ? static_cast<float>(extended) : static_cast<float>(raw);
  return bitCast<std::uint32_t>(value < -greatest ? -1.0f : value / greatest);
}

/// Returns the registers of one texel, or of the border if \p texel is null. It is inlined, so that
/// the checker sees the kernel's access.
NBODY_ALWAYS_INLINE TexelRegisters readTexel(const Texture& texture, const char* texel) {
  typedef std::uint16_t __attribute__((may_alias)) Bits16;
  typedef std::uint32_t __attribute__((may_alias)) Bits32;
  const bool isFloat = texture.givesFloat();
  TexelRegisters result = {{0, 0, 0, isFloat ? bitCast<std::uint32_t>(1.0f) : 1}};
  for (int c = 0; c < texture.channels; ++c) {
    if (texel == nullptr) {
      const float border = texture.border[c];
      result.bits[c] = isFloat ? bitCast<std::uint32_t>(border)
                               : static_cast<std::uint32_t>(static_cast<std::int64_t>(border));
      continue;
    }
    const char* channel = texel + c * texture.channelBytes;
    std::uint32_t raw;
    if (texture.channelBytes == 1) raw = static_cast<unsigned char>(*channel);
    else if (texture.channelBytes == 2) raw = *reinterpret_cast<const Bits16*>(channel);
    else raw = *reinterpret_cast<const Bits32*>(channel);
    result.bits[c] = channelRegister(texture, raw);
  }
  return result;
}

/// Returns the weighted sum of a footprint's texels, or its only texel.
NBODY_ALWAYS_INLINE TexelRegisters readFootprint(const Footprint& f) {
  if (!f.texture.isFiltered) return readTexel(f.texture, f.texel[0]);
  float sum[4] = {};
  for (int i = 0; i < f.count; ++i) {
    const TexelRegisters texel = readTexel(f.texture, f.texel[i]);
    for (int c = 0; c < 4; ++c) sum[c] += f.weight[i] * bitCast<float>(texel.bits[c]);
  }
  TexelRegisters result;
  for (int c = 0; c < 4; ++c) result.bits[c] = bitCast<std::uint32_t>(sum[c]);
  return result;
}

/// Type of the components of T, a vector type or a number.
template <class T, class = void>
struct ComponentOf {
  using Type = T;
};
template <class T>
struct ComponentOf<T, std::void_t<decltype(T::x)>> {
  using Type = decltype(T::x);
};

template <class T>
NBODY_ALWAYS_INLINE T fromRegisters(const TexelRegisters& registers) {
  using Component = typename ComponentOf<T>::Type;
  static_assert(std::is_arithmetic_v<Component> && sizeof(Component) <= 4,
                "a texture gives numbers of at most 32 bits");
  constexpr int kCount = sizeof(T) / sizeof(Component);
  Component components[kCount];
  for (int c = 0; c < kCount && c < 4; ++c) {
    if constexpr (std::is_same_v<Component, float>)
      components[c] = bitCast<float>(registers.bits[c]);
    else components[c] = static_cast<Component>(registers.bits[c]);
  }
  T value;
  std::memcpy(static_cast<void*>(&value), components, sizeof value);
  return value;
}

}  // namespace nbody::executor

// CUDA's fetches from texture objects. Each returns a value, or writes it to its first argument.
#define NBODY_FETCH(name, parameters, arguments, place)                                  \
  template <class T>                                                                     \
  NBODY_ALWAYS_INLINE T name(cudaTextureObject_t object, NBODY_UNBRACKETED parameters) { \
    using namespace nbody::executor;                                                     \
    return fromRegisters<T>(readFootprint(footprint(object, NBODY_UNBRACKETED place)));  \
  }                                                                                      \
  template <class T>                                                                     \
  NBODY_ALWAYS_INLINE void name(T* value, cudaTextureObject_t object,                    \
                                NBODY_UNBRACKETED parameters) {                          \
    *value = name<T>(object, NBODY_UNBRACKETED arguments);                               \
  }
#define NBODY_UNBRACKETED(...) __VA_ARGS__
NBODY_FETCH(tex1Dfetch, (int x), (x), (x))
NBODY_FETCH(tex1D, (float x), (x), (1, x, 0))
NBODY_FETCH(tex2D, (float x, float y), (x, y), (2, x, y))
#undef NBODY_UNBRACKETED
#undef NBODY_FETCH
