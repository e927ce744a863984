/// \file
/// CUDA's texture and surface objects, and the arrays that they use.
#pragma once

#include <cstddef>
#include <type_traits>

#include "executor/language/textures/surface.hpp"
#include "executor/language/textures/texture.hpp"
#include "executor/runtime/caller.hpp"
#include "executor/runtime/errors.hpp"
#include "executor/runtime/memory_api.hpp"
#include "executor/runtime/stream_api.hpp"

enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned,
  cudaChannelFormatKindUnsigned,
  cudaChannelFormatKindFloat,
  cudaChannelFormatKindNone,
};
/// Bits of the channels of a texel, 0 for missing ones.
struct cudaChannelFormatDesc {
  int x, y, z, w;
  cudaChannelFormatKind f;
};

enum : unsigned {
  cudaArrayDefault = 0,
  cudaArrayLayered = 1,
  cudaArraySurfaceLoadStore = 2,
  cudaArrayCubemap = 4,
};

typedef struct cudaMipmappedArray* cudaMipmappedArray_t;

enum cudaResourceType {
  cudaResourceTypeArray,
  cudaResourceTypeMipmappedArray,
  cudaResourceTypeLinear,
  cudaResourceTypePitch2D,
};
struct cudaResourceDesc {
  cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      cudaMipmappedArray_t mipmap;
    } mipmap;
    struct {
      void* devPtr;
      cudaChannelFormatDesc desc;
      std::size_t sizeInBytes;
    } linear;
    struct {
      void* devPtr;
      cudaChannelFormatDesc desc;
      std::size_t width, height, pitchInBytes;
    } pitch2D;
  } res;
  unsigned flags;
};
struct cudaResourceViewDesc {
  int format;
  std::size_t width, height, depth;
  unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};

enum cudaTextureAddressMode {
  cudaAddressModeWrap,
  cudaAddressModeClamp,
  cudaAddressModeMirror,
  cudaAddressModeBorder,
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
struct cudaTextureDesc {
  cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode;
  cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  int seamlessCubemap;
};

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
/// Describes the channels of T, a number or a vector type of 8, 16 or 32 bits.
template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
  using Component = typename nbody::executor::ComponentOf<T>::Type;
  constexpr int kBits = 8 * sizeof(Component), kCount = sizeof(T) / sizeof(Component);
  const cudaChannelFormatKind kind =
      !std::is_integral<Component>::value ? cudaChannelFormatKindFloat
      : std::is_signed<Component>::value  ? cudaChannelFormatKindSigned
                                          : cudaChannelFormatKindUnsigned;
  return {kBits, kCount > 1 ? kBits : 0, kCount > 2 ? kBits : 0, kCount > 3 ? kBits : 0, kind};
}

/// Allocates an array of \p width texels, or of \p height rows of them.
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                            std::size_t width, std::size_t height = 0,
                            unsigned flags = cudaArrayDefault, nbody::executor::Caller caller = {});
cudaError_t cudaFreeArray(cudaArray_t array);

// Offsets and widths are in bytes, heights in rows.
cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t toX, std::size_t toY, const void* from,
                              std::size_t bytes, cudaMemcpyKind kind,
                              nbody::executor::Caller caller = {});
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t toX, std::size_t toY, const void* from,
                                std::size_t fromPitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind, nbody::executor::Caller caller = {});
cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t toPitch, cudaArray_t from,
                                  std::size_t fromX, std::size_t fromY, std::size_t width,
                                  std::size_t height, cudaMemcpyKind kind,
                                  nbody::executor::Caller caller = {});

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture,
                                    const cudaResourceViewDesc* view,
                                    nbody::executor::Caller caller = {});
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
/// Makes a surface object of an array. An array without cudaArraySurfaceLoadStore is reported, and
/// then used, as an H200 does.
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource,
                                    nbody::executor::Caller caller = {});
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
