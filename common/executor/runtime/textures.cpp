// CUDA's arrays, which are texels in device memory, and its texture and surface objects.
#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <type_traits>

#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/copies.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/texture_api.hpp"

static std::size_t texelBytes(const cudaChannelFormatDesc& format) {
  return static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
}

struct cudaArray {
  char* texels;
  cudaChannelFormatDesc format;
  std::size_t width, height;  ///< in texels, as given by the program
  bool isForSurfaces;

  std::size_t rowBytes() const { return width * texelBytes(format); }
  std::size_t rows() const { return height > 0 ? height : 1; }
};

using namespace nbody::executor;
using namespace nbody::executor::runtime;

namespace {

std::set<const cudaArray*>& arrays() {
  static auto& all = *new std::set<const cudaArray*>;  // static objects may free arrays
  return all;
}

/// Returns whether a texel may have these channels: 1, 2 or 4 of equal size, with 8, 16 or 32 bits;
/// floats not with 8.
bool isFormat(const cudaChannelFormatDesc& f) {
  const int channels = (f.x > 0) + (f.y > 0) + (f.z > 0) + (f.w > 0);
  const bool areFirst = channels == 1 || (channels == 2 && f.y > 0) || channels == 4;
  const bool areAlike = f.x + f.y + f.z + f.w == channels * f.x;
  const bool isSize = f.x == 16 || f.x == 32 || (f.x == 8 && f.f != cudaChannelFormatKindFloat);
  return areFirst && areAlike && isSize && f.f >= cudaChannelFormatKindSigned &&
         f.f <= cudaChannelFormatKindFloat;
}

/// Returns whether \p array is one that the program has not freed.
bool isArray(const cudaArray* array) { return arrays().count(array) > 0; }

}  // namespace

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                            std::size_t width, std::size_t height, unsigned flags, Caller caller) {
  const ApiCall call;
  if (array == nullptr || format == nullptr || width == 0) return result(cudaErrorInvalidValue);
  if (!isFormat(*format)) return result(cudaErrorInvalidChannelDescriptor);
  if ((flags & (cudaArrayLayered | cudaArrayCubemap)) != 0) {
    report("executor: not supported: the array at " + place(caller) +
           " needs layers or a cube map, which the CPU executor does not have.");
    return result(cudaErrorNotSupported);
  }
  auto made = std::make_unique<cudaArray>(
      cudaArray{nullptr, *format, width, height, (flags & cudaArraySurfaceLoadStore) != 0});
  const std::size_t bytes = made->rowBytes() * made->rows();
  const Allocation* memory = allocate(bytes, Kind::device, texelBytes(made->format), caller);
  if (memory == nullptr) return result(cudaErrorMemoryAllocation);
  made->texels = memory->begin;
  *array = made.release();
  arrays().insert(*array);
  return result();
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  const Caller caller(__builtin_return_address(0));
  const ApiCall call;
  if (array == nullptr) return result();
  if (!isArray(array)) {
    report("executor: wrong free: cudaFreeArray() at " + place(caller) +
           " frees a pointer that is not an array, or an array that was already freed.");
    return result(cudaErrorInvalidResourceHandle);
  }
  finishAll();
  if (Allocation* memory = allocationOf(array->texels)) release(*memory, caller);
  arrays().erase(array);
  delete array;
  return result();
}

/// Copies \p height rows of \p width bytes to the array or from it, from byte \p x of row \p y on.
/// \p other: the memory at the other end.
template <class Other>
static cudaError_t copyArray(const char* what, const cudaArray* array, std::size_t x, std::size_t y,
                             Other other, std::size_t width, std::size_t height,
                             cudaMemcpyKind kind, Caller caller) {
  const ApiCall call;
  if (!isArray(array)) {
    report("executor: wrong array: " + std::string(what) + "() at " + place(caller) +
           " gets a pointer that is not an array, or an array that was already freed.");
    return result(cudaErrorInvalidValue);
  }
  const std::size_t row = array->rowBytes(), rows = array->rows();
  if (x > row || width > row - x || y > rows || height > rows - y) {
    report("executor: copy out of bounds: " + std::string(what) + "() at " + place(caller) +
           " uses " + std::to_string(height) + " rows of " + std::to_string(width) +
           " bytes, from byte " + std::to_string(x) + " of row " + std::to_string(y) +
           " on, but the array has only " + std::to_string(rows) + " rows of " +
           std::to_string(row) + " bytes.");
    return result(cudaErrorInvalidValue);
  }
  char* const begin = array->texels + y * row + x;
  if constexpr (std::is_same_v<Other, ConstRows>)
    return copy({what, Rows(begin, row), other, width, height, kind, nullptr, false, caller});
  else
    return copy({what, other, ConstRows(begin, row), width, height, kind, nullptr, false, caller});
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t toX, std::size_t toY, const void* from,
                              std::size_t bytes, cudaMemcpyKind kind, Caller caller) {
  // Whole rows of the array, or a part of one.
  const bool isWhole = isArray(to) && toX == 0 && bytes % to->rowBytes() == 0;
  const std::size_t width = isWhole ? to->rowBytes() : bytes;
  return copyArray("cudaMemcpyToArray", to, toX, toY, ConstRows(from, width), width,
                   isWhole ? bytes / width : 1, kind, caller);
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t toX, std::size_t toY, const void* from,
                                std::size_t fromPitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind, Caller caller) {
  return copyArray("cudaMemcpy2DToArray", to, toX, toY, ConstRows(from, fromPitch), width, height,
                   kind, caller);
}

cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t toPitch, cudaArray_t from,
                                  std::size_t fromX, std::size_t fromY, std::size_t width,
                                  std::size_t height, cudaMemcpyKind kind, Caller caller) {
  return copyArray("cudaMemcpy2DFromArray", from, fromX, fromY, Rows(to, toPitch), width, height,
                   kind, caller);
}

namespace {

/// Sets texels of this format in rows of \p rowBytes bytes.
cudaError_t setTexels(Texture& texture, const void* texels, const cudaChannelFormatDesc& format,
                      std::size_t width, std::size_t height, std::size_t rowBytes) {
  if (!isFormat(format)) return cudaErrorInvalidChannelDescriptor;
  if (rowBytes < width * texelBytes(format)) return cudaErrorInvalidValue;
  texture.texels = static_cast<const char*>(texels);
  texture.rowBytes = rowBytes;
  texture.extent[0] = static_cast<int>(width);
  texture.extent[1] = static_cast<int>(height);
  texture.channels = (format.x > 0) + (format.y > 0) + (format.z > 0) + (format.w > 0);
  texture.channelBytes = format.x / 8;
  texture.kind = format.f == cudaChannelFormatKindSigned     ? ChannelKind::signedInteger
                 : format.f == cudaChannelFormatKindUnsigned ? ChannelKind::unsignedInteger
                                                             : ChannelKind::floating;
  return cudaSuccess;
}

/// Sets the texels that \p resource names.
cudaError_t setResource(Texture& texture, const cudaResourceDesc& resource) {
  constexpr std::size_t kPitchAlignment = 32;  // texturePitchAlignment of the device
  if (resource.resType == cudaResourceTypeArray) {
    const cudaArray* a = resource.res.array.array;
    if (!isArray(a)) return cudaErrorInvalidResourceHandle;
    return setTexels(texture, a->texels, a->format, a->width, a->rows(), a->rowBytes());
  }
  if (resource.resType == cudaResourceTypeLinear) {
    const auto& memory = resource.res.linear;
    const std::size_t width =
        memory.sizeInBytes / std::max<std::size_t>(texelBytes(memory.desc), 1);
    return setTexels(texture, memory.devPtr, memory.desc, width, 1, memory.sizeInBytes);
  }
  if (resource.resType == cudaResourceTypePitch2D) {
    const auto& memory = resource.res.pitch2D;
    const cudaError_t error = setTexels(texture, memory.devPtr, memory.desc, memory.width,
                                        memory.height, memory.pitchInBytes);
    const bool isAligned = memory.pitchInBytes % kPitchAlignment == 0;
    return error == cudaSuccess && !isAligned ? cudaErrorInvalidValue : error;
  }
  return cudaErrorNotSupported;
}

cudaError_t setReading(Texture& texture, const cudaTextureDesc& description) {
  const bool wantsFractions = description.readMode == cudaReadModeNormalizedFloat;
  texture.givesFractions = wantsFractions && texture.kind != ChannelKind::floating;
  texture.isFiltered = description.filterMode == cudaFilterModeLinear;
  texture.hasNormalizedCoordinates = description.normalizedCoords != 0;
  for (int axis = 0; axis < 2; ++axis)
    texture.mode[axis] = static_cast<AddressMode>(description.addressMode[axis]);
  std::memcpy(texture.border, description.borderColor, sizeof texture.border);
  if (texture.givesFractions && texture.channelBytes == 4) return cudaErrorInvalidNormSetting;
  if (texture.isFiltered && !texture.givesFloat()) return cudaErrorInvalidFilterSetting;
  if (description.sRGB != 0) return cudaErrorNotSupported;
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture,
                                    const cudaResourceViewDesc* view, Caller caller) {
  const ApiCall call;
  if (object == nullptr || resource == nullptr || texture == nullptr)
    return result(cudaErrorInvalidValue);
  Texture made = {};
  cudaError_t error = view != nullptr ? cudaErrorNotSupported : setResource(made, *resource);
  if (error == cudaSuccess) error = setReading(made, *texture);
  if (error == cudaErrorNotSupported)
    report("executor: not supported: the texture at " + place(caller) +
           " needs a mipmap, a view or sRGB, which the CPU executor does not have.");
  if (error != cudaSuccess) return result(error);
  const Allocation* memory = allocationOf(made.texels);
  const std::size_t last =
      made.rowBytes * (made.extent[1] - 1) + made.extent[0] * made.texelBytes();
  if (memory == nullptr || last > memory->bytes - (made.texels - memory->begin)) {
    report("executor: texture out of bounds: the texture at " + place(caller) + " needs " +
           std::to_string(last) + " bytes of device memory" +
           (memory == nullptr ? ", but its address is not in device memory."
                              : ", which is more than " + describe(*memory) + " has."));
    return result(cudaErrorInvalidValue);
  }
  *object = addTexture(made);
  if (*object == 0) return result(cudaErrorMemoryAllocation);
  return result();
}

/// Finishes all work that may use the object, and removes it.
static cudaError_t destroy(unsigned long long object) {
  const ApiCall call;
  if (object == 0) return result();
  finishAll();
  return result(removeTexture(object) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) { return destroy(object); }
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) { return destroy(object); }

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource,
                                    Caller caller) {
  const ApiCall call;
  if (object == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray)
    return result(cudaErrorInvalidValue);
  Texture made = {};
  made.isSurface = true;
  const cudaError_t error = setResource(made, *resource);
  if (error != cudaSuccess) return result(error);
  if (!resource->res.array.array->isForSurfaces)
    report("executor: wrong array: the surface at " + place(caller) +
           " is of an array without the flag cudaArraySurfaceLoadStore, which CUDA demands. Some "
           "GPUs accept the array.");
  *object = addTexture(made);
  return result(*object == 0 ? cudaErrorMemoryAllocation : cudaSuccess);
}
