// Texture objects: filtering in each address mode. nvcc compiles it too, and a GPU must print the
// same. The unit tests have two dimensions, formats and memory as a texture.
#include <cstdio>

__managed__ float out[12];

__global__ void line(cudaTextureObject_t texture, float first, float step) {
  out[threadIdx.x] = tex1D<float>(texture, first + step * threadIdx.x);
}

int main() {
  const float texels[] = {0, 256, 512, 256};
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 4);
  cudaMemcpy2DToArray(array, 0, 0, texels, sizeof texels, sizeof texels, 1, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  const char* names[] = {"wrap", "clamp", "mirror", "border"};
  for (int mode = 0; mode < 4; ++mode)
    for (int filter = 0; filter < 2; ++filter) {
      cudaTextureDesc description = {};
      description.addressMode[0] = cudaTextureAddressMode(mode);
      description.filterMode = cudaTextureFilterMode(filter);
      description.normalizedCoords = true;
      cudaTextureObject_t texture = 0;
      cudaCreateTextureObject(&texture, &resource, &description, nullptr);
      line<<<1, 12>>>(texture, -1.03125f, 0.28125f);
      cudaDeviceSynchronize();
      printf("%s", names[mode]);
      for (float x : out) printf(" %g", x);
      printf("\n");
      cudaDestroyTextureObject(texture);
    }
  cudaFreeArray(array);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
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
