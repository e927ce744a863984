// Surface objects: reads and writes in each boundary mode, in one and two dimensions, and mistakes. nvcc compiles it too, and an H200
// prints the same before the first launch that is stopped. After that it refuses all calls of this process.
#include <cstdio>

/// A launch that is stopped. The executor begins again after it.
#define STOPS(...) __VA_ARGS__, cudaDeviceReset()

constexpr int kWidth = 5, kHeight = 3;

struct Image {
  cudaArray_t array;
  cudaSurfaceObject_t surface = 0;
  explicit Image(unsigned flags = cudaArraySurfaceLoadStore, int height = kHeight) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<short2>();
    cudaMallocArray(&array, &format, kWidth, height, flags);
    short2 texels[kHeight * kWidth];
    for (int i = 0; i < kHeight * kWidth; ++i) texels[i] = make_short2(i, -i);
    const size_t row = kWidth * sizeof(short2);
    cudaMemcpy2DToArray(array, 0, 0, texels, row, row, height ? height : 1, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    const cudaError_t error = cudaCreateSurfaceObject(&surface, &resource);  // @create
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  }
  void print() const {
    short2 texels[kHeight][kWidth];
    cudaMemcpy2DFromArray(texels, sizeof texels[0], array, 0, 0, sizeof texels[0], kHeight, cudaMemcpyDeviceToHost);
    for (const auto& row : texels)
      for (const short2 texel : row) printf(" %d,%d", texel.x, texel.y);
    printf("\n");
  }
};

__global__ void mirror(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  const int x = threadIdx.x, y = threadIdx.y;
  short2 texel;
  surf2Dread(&texel, from, (kWidth - 1 - x) * sizeof texel, y);
  surf2Dwrite(texel, to, x * sizeof texel, y);
}
__global__ void outside(cudaSurfaceObject_t image) {
  surf2Dwrite(make_short2(100, 0), image, kWidth * sizeof(short2), 0, cudaBoundaryModeZero);
  surf2Dwrite(make_short2(200, 1), image, kWidth * sizeof(short2), 7, cudaBoundaryModeClamp);
  const auto none = surf2Dread<short2>(image, -4, 1, cudaBoundaryModeZero);
  const auto first = surf2Dread<int>(image, -4, -1, cudaBoundaryModeClamp);
  printf("%d %d %d\n", none.x, none.y, first);
}
__global__ void line(cudaSurfaceObject_t image) {
  surf1Dwrite<short>(surf1Dread<short>(image, 4) + 40, image, 2);
  printf("%d\n", surf1Dread<int>(image, 0) >> 16);
}
__global__ void at(cudaSurfaceObject_t image, int x, int y) {
  surf2Dwrite(make_short2(1, 1), image, x, y);  // @at
}
__global__ void smooth(cudaSurfaceObject_t image) {
  const int x = threadIdx.x * sizeof(short2);
  short2 own = surf2Dread<short2>(image, x, 0), left = surf2Dread<short2>(image, x - 4, 0, cudaBoundaryModeClamp);  // @left
  own.x += left.x;
  surf2Dwrite(own, image, x, 0);  // @own
}

int main() {
  const Image from, to;
  mirror<<<1, dim3(kWidth, kHeight)>>>(from.surface, to.surface);
  to.print();
  outside<<<1, 1>>>(from.surface);
  from.print();
  line<<<1, 1>>>(Image(cudaArraySurfaceLoadStore, 0).surface);
  cudaDeviceSynchronize();
  const Image without(cudaArrayDefault);
  smooth<<<1, kWidth>>>(from.surface);
  cudaDestroySurfaceObject(from.surface);
  STOPS(at<<<1, 1>>>(from.surface, 0, 0));
  STOPS(at<<<1, 1>>>(Image().surface, 1, 0));
  STOPS(at<<<1, 1>>>(Image().surface, kWidth * sizeof(short2), 2));
  STOPS(at<<<1, 1>>>(Image().surface, 0, -1));
}
// prints:  4,-4 3,-3 2,-2 1,-1 0,0 9,-9 8,-8 7,-7 6,-6 5,-5 14,-14 13,-13 12,-12 11,-11 10,-10
// prints: 0 0 0
// prints:  0,0 1,-1 2,-2 3,-3 4,-4 5,-5 6,-6 7,-7 8,-8 9,-9 10,-10 11,-11 12,-12 13,-13 200,1
// prints: 41
// reports: wrong array: the surface at .*:@create is of an array without the flag cudaArraySurfaceLoadStore
// check reports: (?s)race on global memory: .*:@own\n.*:@left\n
// reports: surface: thread \(0,0,0\) of block \(0,0,0\) uses the surface object \d+ at .*:@at, which does not exist or was destroyed
// reports: surface: .* uses 4 bytes at byte 1 of row 0 at .*:@at, but x must be a multiple of the number of bytes
// reports: surface: .* uses 4 bytes at byte 20 of row 2 at .*:@at, but the surface has 3 rows of 20 bytes
// reports: surface: .* uses 4 bytes at byte 0 of row -1 at
// status: 1
