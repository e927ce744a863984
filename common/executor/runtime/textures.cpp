// CUDA's arrays, which are texels in device memory, and its texture objects.
#include <cstring>
#include <memory>
#include <set>
#include <string>

#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/copies.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/texture_api.hpp"

struct cudaArray {
  char* texels;
  cudaChannelFormatDesc format;
  std::size_t width, height;  ///< in texels, as given by the program

  std::size_t texelBytes() const {
    return static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
  }
  std::size_t rowBytes() const { return width * texelBytes(); }
  std::size_t rows() const { return height > 0 ? height : 1; }
};

namespace nbody::executor::runtime {

/// Returns whether a texel may have these channels: 1, 2 or 4 of equal size, with 8, 16 or 32 bits;
/// floats not with 8.
bool isFormat(const cudaChannelFormatDesc& format);

/// Returns whether \p array is one that the program has not freed.
bool isArray(const cudaArray* array);

}  // namespace nbody::executor::runtime

using namespace nbody::executor;
using namespace nbody::executor::runtime;

static std::set<const cudaArray*>& arrays() {
  static auto& all = *new std::set<const cudaArray*>;  // static objects may free arrays
  return all;
}

namespace nbody::executor::runtime {

bool isFormat(const cudaChannelFormatDesc& f) {
  const int channels = (f.x > 0) + (f.y > 0) + (f.z > 0) + (f.w > 0);
  const bool areFirst = channels == 1 || (channels == 2 && f.y > 0) || channels == 4;
  const bool areAlike = f.x + f.y + f.z + f.w == channels * f.x;
  const bool isSize = f.x == 16 || f.x == 32 || (f.x == 8 && f.f != cudaChannelFormatKindFloat);
  return areFirst && areAlike && isSize && f.f >= cudaChannelFormatKindSigned &&
         f.f <= cudaChannelFormatKindFloat;
}

bool isArray(const cudaArray* array) { return arrays().count(array) > 0; }

}  // namespace nbody::executor::runtime

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                            std::size_t width, std::size_t height, unsigned flags, Caller caller) {
  const ApiCall call;
  if (array == nullptr || format == nullptr || width == 0) return result(cudaErrorInvalidValue);
  if (!isFormat(*format)) return result(cudaErrorInvalidChannelDescriptor);
  if ((flags & (cudaArrayLayered | cudaArrayCubemap | cudaArraySurfaceLoadStore)) != 0) {
    report("executor: not supported: the array at " + place(caller) +
           " needs layers, a cube map or a surface, which the CPU executor does not have.");
    return result(cudaErrorNotSupported);
  }
  auto made = std::make_unique<cudaArray>(cudaArray{nullptr, *format, width, height});
  const std::size_t bytes = made->rowBytes() * made->rows();
  const Allocation* memory = allocate(bytes, Kind::device, made->texelBytes(), caller);
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

/// Copies \p height rows of \p width bytes to the array, from byte \p x of row \p y on.
static cudaError_t copyToArray(const char* what, const cudaArray* array, std::size_t x,
                               std::size_t y, ConstRows from, std::size_t width, std::size_t height,
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
  return copy({what, Rows{array->texels + y * row + x, row}, from, width, height, kind, nullptr,
               false, caller});
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t toX, std::size_t toY, const void* from,
                              std::size_t bytes, cudaMemcpyKind kind, Caller caller) {
  // Whole rows of the array, or a part of one.
  const bool isWhole = isArray(to) && toX == 0 && bytes % to->rowBytes() == 0;
  const std::size_t width = isWhole ? to->rowBytes() : bytes;
  return copyToArray("cudaMemcpyToArray", to, toX, toY, {static_cast<const char*>(from), width},
                     width, isWhole ? bytes / width : 1, kind, caller);
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t toX, std::size_t toY, const void* from,
                                std::size_t fromPitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind, Caller caller) {
  return copyToArray("cudaMemcpy2DToArray", to, toX, toY,
                     {static_cast<const char*>(from), fromPitch}, width, height, kind, caller);
}

using namespace nbody::executor;
using namespace nbody::executor::runtime;

namespace {

void setFormat(Texture& texture, const cudaChannelFormatDesc& format) {
  texture.channels = (format.x > 0) + (format.y > 0) + (format.z > 0) + (format.w > 0);
  texture.channelBytes = format.x / 8;
  texture.kind = format.f == cudaChannelFormatKindSigned     ? ChannelKind::signedInteger
                 : format.f == cudaChannelFormatKindUnsigned ? ChannelKind::unsignedInteger
                                                             : ChannelKind::floating;
}

void setExtent(Texture& texture, std::size_t width, std::size_t height) {
  texture.extent[0] = static_cast<int>(width);
  texture.extent[1] = static_cast<int>(height);
}

/// Sets the texels that \p resource names.
cudaError_t setResource(Texture& texture, const cudaResourceDesc& resource) {
  constexpr std::size_t kPitchAlignment = 32;  // texturePitchAlignment of the device
  if (resource.resType == cudaResourceTypeArray) {
    const cudaArray* a = resource.res.array.array;
    if (!isArray(a)) return cudaErrorInvalidResourceHandle;
    setFormat(texture, a->format);
    setExtent(texture, a->width, a->rows());
    texture.texels = a->texels;
    texture.rowBytes = a->rowBytes();
    return cudaSuccess;
  }
  if (resource.resType == cudaResourceTypeLinear) {
    const auto& memory = resource.res.linear;
    if (!isFormat(memory.desc)) return cudaErrorInvalidChannelDescriptor;
    setFormat(texture, memory.desc);
    setExtent(texture, memory.sizeInBytes / texture.texelBytes(), 1);
    texture.texels = static_cast<const char*>(memory.devPtr);
    texture.rowBytes = memory.sizeInBytes;
    return cudaSuccess;
  }
  if (resource.resType == cudaResourceTypePitch2D) {
    const auto& memory = resource.res.pitch2D;
    if (!isFormat(memory.desc)) return cudaErrorInvalidChannelDescriptor;
    setFormat(texture, memory.desc);
    if (memory.pitchInBytes % kPitchAlignment != 0 ||
        memory.pitchInBytes < memory.width * texture.texelBytes())
      return cudaErrorInvalidValue;
    setExtent(texture, memory.width, memory.height);
    texture.texels = static_cast<const char*>(memory.devPtr);
    texture.rowBytes = memory.pitchInBytes;
    return cudaSuccess;
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

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  const ApiCall call;
  if (object == 0) return result();
  finishAll();
  return result(removeTexture(object) ? cudaSuccess : cudaErrorInvalidValue);
}
