// Texture objects: filtering, address modes, formats, one and two dimensions. nvcc compiles it
// too, and a GPU must print the same.
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void line(cudaTextureObject_t texture, float first, float step, float* out) {
  out[threadIdx.x] = tex1D<float>(texture, first + step * threadIdx.x);
}
__global__ void plane(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, 0.37f * threadIdx.x, 0.21f * threadIdx.x);
}
__global__ void fetched(cudaTextureObject_t bytes, cudaTextureObject_t fractions, int* out) {
  const uchar4 c = tex1Dfetch<uchar4>(bytes, threadIdx.x);
  const float4 f = tex1Dfetch<float4>(fractions, threadIdx.x);
  out[threadIdx.x] = c.x + 256 * c.w + (f.y == c.y / 255.0f ? 65536 : 0);
}

static cudaTextureDesc reading(cudaTextureAddressMode mode,
                               cudaTextureFilterMode filter,
                               bool normalized) {
  cudaTextureDesc description;
  memset(&description, 0, sizeof description);
  for (auto& m : description.addressMode) m = mode;
  description.filterMode = filter;
  description.normalizedCoords = normalized;
  return description;
}

static cudaTextureObject_t textureOf(cudaArray_t array, const cudaTextureDesc& description) {
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  return texture;
}

static void print(const char* name, const float* device, int count) {
  std::vector<float> host(count);
  cudaMemcpy(host.data(), device, count * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%s", name);
  for (float x : host) printf(" %g", x);
  printf("\n");
}

static void lines(float* out) {
  const float texels[] = {0, 256, 512, 256};
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 4);
  cudaMemcpy2DToArray(array, 0, 0, texels, sizeof texels, sizeof texels, 1, cudaMemcpyHostToDevice);
  const char* names[] = {"wrap", "clamp", "mirror", "border"};
  for (int mode = 0; mode < 4; ++mode)
    for (int filter = 0; filter < 2; ++filter) {
      const auto description =
          reading(cudaTextureAddressMode(mode), cudaTextureFilterMode(filter), true);
      const cudaTextureObject_t texture = textureOf(array, description);
      line<<<1, 12>>>(texture, -1.03125f, 0.28125f, out);
      print(names[mode], out, 12);
      cudaDestroyTextureObject(texture);
    }
  const cudaTextureObject_t fine =
      textureOf(array, reading(cudaAddressModeClamp, cudaFilterModeLinear, false));
  line<<<1, 12>>>(fine, 0.5f, 1 / 1024.0f, out);  // steps of a quarter of a weight
  print("weights", out, 12);
  cudaDestroyTextureObject(fine);
  cudaFreeArray(array);
}

static void flat(float* out) {
  std::vector<float> texels(4 * 3);
  for (int i = 0; i < 12; ++i) texels[i] = 64.0f * (i * 7 % 5);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 4, 3);
  cudaMemcpy2DToArray(array, 0, 0, texels.data(), 16, 16, 3, cudaMemcpyHostToDevice);
  const auto description = reading(cudaAddressModeClamp, cudaFilterModeLinear, false);
  const cudaTextureObject_t plain = textureOf(array, description);
  plane<<<1, 10>>>(plain, out);
  print("plane", out, 10);
  cudaDestroyTextureObject(plain);
  cudaFreeArray(array);
}

static void memory() {
  std::vector<uchar4> colours(8);
  for (int i = 0; i < 8; ++i) colours[i] = make_uchar4(i, 30 * i, 0, 255 - i);
  uchar4* device;
  int *out, host[9];
  cudaMalloc(&device, 8 * sizeof(uchar4));
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(device, colours.data(), 8 * sizeof(uchar4), cudaMemcpyHostToDevice);
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = device;
  resource.res.linear.desc = cudaCreateChannelDesc<uchar4>();
  resource.res.linear.sizeInBytes = 8 * sizeof(uchar4);
  cudaTextureDesc description = reading(cudaAddressModeClamp, cudaFilterModePoint, false);
  cudaTextureObject_t bytes, fractions;
  cudaCreateTextureObject(&bytes, &resource, &description, nullptr);
  description.readMode = cudaReadModeNormalizedFloat;
  cudaCreateTextureObject(&fractions, &resource, &description, nullptr);
  fetched<<<1, 9>>>(bytes, fractions, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("memory");
  for (int x : host) printf(" %d", x);
  printf("\n");
  cudaDestroyTextureObject(bytes);
  cudaDestroyTextureObject(fractions);
  cudaFree(device);
  cudaFree(out);
}

int main() {
  float* out;
  cudaMalloc(&out, 12 * sizeof(float));
  lines(out);
  flat(out);
  memory();
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(out);
}
// prints: wrap 256 256 512 256 0 256 512 256 0 512 256 0
// prints: wrap 160 128 416 320 32 256 480 192 96 384 352 64
// prints: clamp 0 0 0 0 0 256 512 256 256 256 256 256
// prints: clamp 0 0 0 0 0 256 480 256 256 256 256 256
// prints: mirror 256 512 256 0 0 256 512 256 256 256 0 0
// prints: mirror 256 384 352 64 0 256 480 256 352 384 96 0
// prints: border 0 0 0 0 0 256 512 256 0 0 0 0
// prints: border 0 0 0 0 0 256 480 192 0 0 0 0
// prints: weights 0 0 0 1 1 1 2 2 2 2 2 3
// prints: plane 0 0 30.5 77.6133 84.124 102.5 122.5 142.602 164 184
// prints: memory 130816 130561 130306 130051 129796 129541 129286 129031 65536
// prints: cudaSuccess
