// Texture objects: filtering in each address mode, with coordinates from 0 to 1 and in texels; formats, two dimensions, memory as a
// texture, and refusals. nvcc compiles it too, and a GPU must print the same. The step is such that weights are rounded to 1/256.
#include <cstdio>
#include <vector>

__managed__ float out[12];

__global__ void line(cudaTextureObject_t texture, float first, float step) {
  out[threadIdx.x] = tex1D<float>(texture, first + step * threadIdx.x);
}

using Address = cudaTextureAddressMode;

cudaTextureDesc reading(Address mode, cudaTextureFilterMode filter, bool isNormalized,
                        cudaTextureReadMode read = cudaReadModeElementType) {
  cudaTextureDesc description = {};
  for (Address& each : description.addressMode) each = mode;
  description.filterMode = filter;
  description.readMode = read;
  description.normalizedCoords = isNormalized;
  return description;
}
cudaTextureObject_t textureOf(cudaArray_t array, const cudaTextureDesc& description) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureObject_t texture = 0;
  const cudaError_t error = cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  if (error != cudaSuccess) printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  return texture;
}
template <class T>
cudaArray_t arrayOf(const std::vector<T>& texels, size_t width, size_t height) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, width, height);
  const size_t row = width * sizeof(T);
  cudaMemcpy2DToArray(array, 0, 0, texels.data(), row, row, height ? height : 1, cudaMemcpyHostToDevice);
  return array;
}

__global__ void formats(cudaTextureObject_t raw, cudaTextureObject_t fractions, cudaTextureObject_t heights) {
  const uchar4 colour = tex2D<uchar4>(raw, 0.5f, 0.5f);
  const float4 between = tex2D<float4>(fractions, 0.5f, 0.5f);
  const float2 height = tex2D<float2>(heights, 0, 0);
  printf("%d %d, %g %.3f, %g %g\n", colour.w, colour.y, between.x, between.y, height.x, height.y);
}
/// Integers are read as they are, or as fractions.
static void readFormats() {
  const auto colours = arrayOf<uchar4>({{0, 51, 102, 255}, {255, 0, 255, 0}}, 2, 1);
  const auto heights = arrayOf<short2>({{32767, -32768}, {-32767, 0}}, 2, 1);
  formats<<<1, 1>>>(textureOf(colours, reading(cudaAddressModeClamp, cudaFilterModePoint, false)),
                    textureOf(colours, reading(cudaAddressModeClamp, cudaFilterModeLinear, true, cudaReadModeNormalizedFloat)),
                    textureOf(heights, reading(cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat)));
  cudaDeviceSynchronize();
}

__global__ void fetches(cudaTextureObject_t numbers, cudaTextureObject_t halves) {
  printf("%d %d %d, ", tex1Dfetch<int>(numbers, 1), tex1Dfetch<int>(numbers, 3), tex1Dfetch<int>(numbers, -1));
  printf("%g %g\n", tex2D<float>(halves, 0.5f, 0.25f), tex2D<float>(halves, 0, 0.75f));
}
/// Memory as a texture: by index, and by rows of halves.
static void readMemory() {
  const int numbers[] = {7, -8, 9};
  int* device;
  cudaMalloc(&device, sizeof numbers);
  cudaMemcpy(device, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  cudaResourceDesc linear = {}, pitched = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear = {device, cudaCreateChannelDesc<int>(), sizeof numbers};
  const cudaTextureDesc plain = {}, smooth = reading(cudaAddressModeWrap, cudaFilterModeLinear, true);
  cudaTextureObject_t byIndex, byRows;
  cudaCreateTextureObject(&byIndex, &linear, &plain, nullptr);
  void* rows;
  size_t pitch;
  cudaMallocPitch(&rows, &pitch, 6, 2);
  const unsigned short halves[] = {0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600};  // 1 to 6
  cudaMemcpy2D(rows, pitch, halves, 6, 6, 2, cudaMemcpyHostToDevice);
  pitched.resType = cudaResourceTypePitch2D;
  const cudaChannelFormatDesc format = {16, 0, 0, 0, cudaChannelFormatKindFloat};
  pitched.res.pitch2D = {rows, format, 3, 2, pitch};
  cudaCreateTextureObject(&byRows, &pitched, &smooth, nullptr);
  fetches<<<1, 1>>>(byIndex, byRows);
  cudaDeviceSynchronize();
  pitched.res.pitch2D.pitchInBytes = pitch - 8;
  printf("%s\n", cudaGetErrorName(cudaCreateTextureObject(&byRows, &pitched, &smooth, nullptr)));
  cudaGetLastError();
}

__global__ void rows(cudaTextureObject_t texture) {
  for (int i = 0; i < 12; ++i) printf(" %d", tex2D<int>(texture, i % 4, i / 4));
  printf("\n");
}
/// A copy takes rows, and a part of each.
static void copyAPart() {
  const auto array = arrayOf(std::vector<int>(12), 4, 3);
  const int part[] = {1, 2, 0, 3, 4, 0};
  cudaMemcpy2DToArray(array, 4, 1, part, 12, 8, 2, cudaMemcpyHostToDevice);
  rows<<<1, 1>>>(textureOf(array, reading(cudaAddressModeClamp, cudaFilterModePoint, false)));
  cudaDeviceSynchronize();
}

static void refusals() {
  const auto array = arrayOf(std::vector<int>(4), 4, 0);
  textureOf(array, reading(cudaAddressModeClamp, cudaFilterModeLinear, false));
  textureOf(array, reading(cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat));
  cudaArray_t none = nullptr;
  const cudaChannelFormatDesc three = {32, 32, 32, 0, cudaChannelFormatKindFloat};
  cudaMallocArray(&none, &three, 4);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}

int main() {
  const auto array = arrayOf<float>({0, 256, 512, 256}, 4, 0);
  const char* names[] = {"wrap", "clamp", "mirror", "border"};
  for (int mode = 0; mode < 4; ++mode)
    for (int filter = 0; filter < 2; ++filter)
      for (const bool isNormalized : {true, false}) {
        const auto texture = textureOf(array, reading(Address(mode), cudaTextureFilterMode(filter), isNormalized));
        const float scale = isNormalized ? 1 : 4;
        line<<<1, 12>>>(texture, -1.031f * scale, 0.283f * scale);
        cudaDeviceSynchronize();
        printf("%s", names[mode]);
        for (float x : out) printf(" %g", x);
        printf("\n");
        cudaDestroyTextureObject(texture);
      }
  cudaFreeArray(array);
  readFormats();
  readMemory();
  copyAPart();
  refusals();
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
// prints: wrap 256 256 512 256 0 256 512 256 0 512 256 0
// prints: wrap 0 0 0 0 0 256 512 256 256 256 256 256
// prints: wrap 160 130 420 314 25 265 469 179 111 400 334 44
// prints: wrap 0 0 0 0 0 265 469 256 256 256 256 256
// prints: clamp 0 0 0 0 0 256 512 256 256 256 256 256
// prints: clamp 0 0 0 0 0 256 512 256 256 256 256 256
// prints: clamp 0 0 0 0 0 265 469 256 256 256 256 256
// prints: clamp 0 0 0 0 0 265 469 256 256 256 256 256
// prints: mirror 256 512 256 0 0 256 512 256 256 256 0 0
// prints: mirror 0 0 0 0 0 256 512 256 256 256 256 256
// prints: mirror 256 386 348 58 0 265 469 256 367 368 78 0
// prints: mirror 0 0 0 0 0 265 469 256 256 256 256 256
// prints: border 0 0 0 0 0 256 512 256 0 0 0 0
// prints: border 0 0 0 0 0 256 512 256 0 0 0 0
// prints: border 0 0 0 0 0 265 469 179 0 0 0 0
// prints: border 0 0 0 0 0 265 469 179 0 0 0 0
// prints: 255 51, 0.5 0.100, 1 -1
// prints: -8 0 0, 2 5
// prints: cudaErrorInvalidValue
// prints:  0 0 0 0 0 1 2 0 0 3 4 0
// prints: cudaErrorInvalidFilterSetting
// prints: cudaErrorInvalidNormSetting
// prints: cudaErrorInvalidChannelDescriptor
// prints: cudaSuccess
