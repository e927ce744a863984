// Texture objects on the executor: formats, the memory that they read, and refusals. programs/textures.cu has address
// modes and filtering.
#include "executor/runtime/api.hpp"
#include "in_kernel.hpp"

using namespace nbody;

namespace {

/// An array with its texture, both freed at the end.
class Picture {
 public:
  template <class T>
  Picture(const std::vector<T>& texels, std::size_t width, std::size_t height,
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

cudaTextureDesc reading(cudaTextureAddressMode mode, cudaTextureFilterMode filter,
                        bool isNormalized, cudaTextureReadMode read = cudaReadModeElementType) {
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
  inKernel(1, static_cast<unsigned>(coordinates.size()),
           [&] { result[threadIdx.x] = fetch(coordinates[threadIdx.x]); });
  return result;
}

const std::vector<float> kTexels = {3, -1, 4, 1, -5, 9, 2};

}  // namespace

TEST_CASE("integers are read as they are, or as fractions") {
  const std::vector<uchar4> colours = {{0, 51, 102, 255}, {255, 0, 255, 0}};
  const std::vector<short2> heights = {{32767, -32768}, {-32767, 0}};
  const Picture raw(colours, 2, 1, reading(cudaAddressModeClamp, cudaFilterModePoint, false));
  const Picture fractions(
      colours, 2, 1,
      reading(cudaAddressModeClamp, cudaFilterModeLinear, true, cudaReadModeNormalizedFloat));
  const Picture heightFractions(
      heights, 2, 1,
      reading(cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat));
  uchar4 colour;
  float4 between;
  float2 height;
  inKernel(1, 1, [&] {
    colour = tex2D<uchar4>(raw, 0.5f, 0.5f);
    between = tex2D<float4>(fractions, 0.5f, 0.5f);
    height = tex2D<float2>(heightFractions, 0, 0);
  });
  CHECK(colour.w == 255);
  CHECK(colour.y == 51);
  CHECK(between.x == 0.5f);
  CHECK(between.y == Approx(0.1f));
  CHECK(height.x == 1);
  CHECK(height.y == -1);
}

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
  const Picture a(std::vector<int>(12), 4, 3,
                  reading(cudaAddressModeClamp, cudaFilterModePoint, false));
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
