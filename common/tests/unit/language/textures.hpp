/// \file
/// Texture objects over CUDA's arrays, and what kernels fetch from them.
#pragma once

#include "catch.hpp"
#include "executor/runtime/api.hpp"
#include "in_kernel.hpp"

namespace nbody {

/// An array with its texture, both freed at the end.
class Picture {
 public:
  template <class T>
  Picture(const std::vector<T>& texels,
          std::size_t width,
          std::size_t height,
          const cudaTextureDesc& reading) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    REQUIRE(cudaMallocArray(&array_, &format, width, height) == cudaSuccess);
    const std::size_t bytes = texels.size() * sizeof(T);
    REQUIRE(cudaMemcpyToArray(array_, 0, 0, texels.data(), bytes, cudaMemcpyHostToDevice) ==
            cudaSuccess);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    status_ = cudaCreateTextureObject(&object_, &resource, &reading, nullptr);
  }
  ~Picture() {
    cudaDestroyTextureObject(object_);
    cudaFreeArray(array_);
  }
  Picture(const Picture&) = delete;

  cudaError_t status() const { return status_; }
  operator cudaTextureObject_t() const { return object_; }
  cudaArray_t array() const { return array_; }

 private:
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t object_ = 0;
  cudaError_t status_;
};

inline cudaTextureDesc reading(cudaTextureAddressMode mode,
                               cudaTextureFilterMode filter,
                               bool isNormalized,
                               cudaTextureReadMode read = cudaReadModeElementType) {
  cudaTextureDesc result = {};
  std::fill_n(result.addressMode, 3, mode);
  result.filterMode = filter;
  result.readMode = read;
  result.normalizedCoords = isNormalized;
  return result;
}

/// The values of \p fetch at each of \p coordinates, taken in a kernel.
template <class Fetch>
std::vector<float> fetched(const std::vector<float>& coordinates, const Fetch& fetch) {
  std::vector<float> result(coordinates.size());
  inKernel(1, static_cast<unsigned>(coordinates.size()), [&] {
    result[threadIdx.x] = fetch(coordinates[threadIdx.x]);
  });
  return result;
}

inline const std::vector<float> kTexels = {3, -1, 4, 1, -5, 9, 2};

}  // namespace nbody
