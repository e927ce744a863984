// The memory that textures read on the executor: CUDA's arrays, rows with a pitch; and refusals.
#include "textures.hpp"

using namespace nbody;

TEST_CASE("memory as a texture: by index, by pitch, by halves") {
  std::vector<int> numbers = {7, -8, 9};
  int* device = nullptr;
  cudaMalloc(&device, 12);
  cudaMemcpy(device, numbers.data(), 12, cudaMemcpyHostToDevice);
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear = {device, cudaCreateChannelDesc<int>(), 12};
  const cudaTextureDesc plain = {};
  cudaTextureObject_t object = 0;
  REQUIRE(cudaCreateTextureObject(&object, &linear, &plain, nullptr) == cudaSuccess);
  int found[3];
  inKernel(1, 1, [&] {
    found[0] = tex1Dfetch<int>(object, 1);
    found[1] = tex1Dfetch<int>(object, 3);
    found[2] = tex1Dfetch<int>(object, -1);
  });
  CHECK(found[0] == -8);
  CHECK(found[1] == 0);
  CHECK(found[2] == 0);

  void* rows = nullptr;
  std::size_t pitch = 0;
  cudaMallocPitch(&rows, &pitch, 6, 2);
  const unsigned short halves[] = {0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600};  // 1 to 6
  cudaMemcpy2D(rows, pitch, halves, 6, 6, 2, cudaMemcpyHostToDevice);
  cudaResourceDesc pitched = {};
  pitched.resType = cudaResourceTypePitch2D;
  const cudaChannelFormatDesc format = {16, 0, 0, 0, cudaChannelFormatKindFloat};
  pitched.res.pitch2D = {rows, format, 3, 2, pitch};
  const cudaTextureDesc smooth = reading(cudaAddressModeWrap, cudaFilterModeLinear, true);
  cudaTextureObject_t half = 0;
  REQUIRE(cudaCreateTextureObject(&half, &pitched, &smooth, nullptr) == cudaSuccess);
  CHECK(fetched({0.5f}, [&](float x) { return tex2D<float>(half, x, 0.25f); })[0] == 2);
  CHECK(fetched({0.0f}, [&](float x) { return tex2D<float>(half, x, 0.75f); })[0] == 5);
  pitched.res.pitch2D.pitchInBytes = pitch - 8;
  CHECK(cudaCreateTextureObject(&half, &pitched, &smooth, nullptr) == cudaErrorInvalidValue);
  cudaDestroyTextureObject(object);
  cudaFree(device);
  cudaFree(rows);
}

TEST_CASE("copies to arrays take rows and parts") {
  const Picture a(
      std::vector<int>(12), 4, 3, reading(cudaAddressModeClamp, cudaFilterModePoint, false));
  const std::vector<int> part = {1, 2, 0, 3, 4, 0};
  CHECK(cudaMemcpy2DToArray(a.array(), 4, 1, part.data(), 12, 8, 2, cudaMemcpyHostToDevice) ==
        cudaSuccess);
  std::vector<int> whole(12);
  inKernel(1, 12, [&] { whole[threadIdx.x] = tex2D<int>(a, threadIdx.x % 4, threadIdx.x / 4); });
  CHECK(whole == std::vector<int>{0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4, 0});
}

TEST_CASE("what a texture cannot be has CUDA's error") {
  const std::vector<int> texels(4);
  const auto status = [&](cudaTextureFilterMode filter, cudaTextureReadMode read) {
    return Picture(texels, 4, 0, reading(cudaAddressModeClamp, filter, false, read)).status();
  };
  CHECK(status(cudaFilterModeLinear, cudaReadModeElementType) == cudaErrorInvalidFilterSetting);
  CHECK(status(cudaFilterModePoint, cudaReadModeNormalizedFloat) == cudaErrorInvalidNormSetting);
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc three = {32, 32, 32, 0, cudaChannelFormatKindFloat};
  CHECK(cudaMallocArray(&array, &three, 4) == cudaErrorInvalidChannelDescriptor);
  CHECK(cudaGetLastError() == cudaErrorInvalidChannelDescriptor);
}

TEST_CASE("a kernel that reads a texture which is gone is named") {
  cudaTextureObject_t object = 0;
  {
    const Picture picture(kTexels, 7, 0, reading(cudaAddressModeClamp, cudaFilterModePoint, false));
    object = picture;
  }
  checkParts(
      messageOf([&] { inKernel(1, 2, [&] { tex1D<float>(object, 0); }); }),
      {"executor: texture: thread (0,0,0) of block (0,0,0)", "does not exist or was destroyed"});
}
