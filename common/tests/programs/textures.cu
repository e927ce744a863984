// Texture objects: filtering in each address mode. nvcc compiles it too, and a GPU must print the
// same. The unit tests have two dimensions, formats and memory as a texture.
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void line(cudaTextureObject_t texture, float first, float step, float* out) {
  out[threadIdx.x] = tex1D<float>(texture, first + step * threadIdx.x);
}

static cudaTextureDesc reading(cudaTextureAddressMode mode, cudaTextureFilterMode filter,
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
  cudaFreeArray(array);
}

int main() {
  float* out;
  cudaMalloc(&out, 12 * sizeof(float));
  lines(out);
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
// prints: cudaSuccess
