// Texture objects, as the host makes them.
#include <cstring>

#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/cuda_arrays.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/texture_api.hpp"

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

/// The texels that \p resource names.
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
