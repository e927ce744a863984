// Texture objects: filtering in each address mode, with coordinates from 0 to 1 and in texels. nvcc
// compiles it too, and a GPU must print the same. The step is such that weights are rounded to 1/256.
// The unit tests have two dimensions, formats and memory as a texture.
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
    for (int filter = 0; filter < 2; ++filter)
      for (const bool isNormalized : {true, false}) {
        cudaTextureDesc description = {};
        description.addressMode[0] = cudaTextureAddressMode(mode);
        description.filterMode = cudaTextureFilterMode(filter);
        description.normalizedCoords = isNormalized;
        cudaTextureObject_t texture = 0;
        cudaCreateTextureObject(&texture, &resource, &description, nullptr);
        const float scale = isNormalized ? 1 : 4;
        line<<<1, 12>>>(texture, -1.031f * scale, 0.283f * scale);
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
// prints: cudaSuccess
