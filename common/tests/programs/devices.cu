// Devices, attributes and occupancy; the numbers of blocks are those of an H200.
#include <cstdio>
#include <cstring>

__global__ void empty() {}
__global__ void __launch_bounds__(128) bounded() {}
__global__ void dynamic(int* x) {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
  *x = s[0];
}
__global__ void fixed(int* x) {
  __shared__ int s[10240];
  s[threadIdx.x] = *x;
  __syncthreads();
  x[threadIdx.x] = s[threadIdx.x * 7 % 32];
}

int main() {
  int count, value, active, grid, block;
  cudaGetDeviceCount(&count);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  printf("%d %s %d.%d %d %zu\n", count, strstr(p.name, "H100") ? "H100" : p.name, p.major, p.minor,
         p.multiProcessorCount, p.sharedMemPerBlockOptin);
  cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
  printf("%d\n", value);
  for (int threads : {1, 32, 64, 96, 128, 192, 256, 320, 512, 768, 1024, 1025}) {
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, empty, threads, 0);
    printf("%d%c", active, threads == 1025 ? '\n' : ' ');
  }
  for (int bytes : {1, 1000, 20000, 48 << 10, 49 << 10}) {
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, dynamic, 64, bytes);
    printf("%d%c", active, bytes == 49 << 10 ? '\n' : ' ');
  }
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, empty);
  printf("%d %d", grid, block);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded);
  printf(" %d %d", grid, block);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, empty, 0, 100);
  printf(" %d %d\n", grid, block);
  printf("%s ", cudaGetErrorName(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 22)));
  printf("%s\n", cudaGetErrorName(cudaDeviceSetLimit(cudaLimit(99), 1)));
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, bounded);
  printf("%d %d", attributes.maxThreadsPerBlock, attributes.maxDynamicSharedSizeBytes);
  cudaFuncGetAttributes(&attributes, (const void*)fixed);
  printf(" %zu %d\n", attributes.sharedSizeBytes, attributes.maxDynamicSharedSizeBytes);
}
// prints: 1 H100 9.0 4 232448
// prints: 233472
// prints: 32 32 32 21 16 10 8 6 4 2 2 0
// prints: 32 32 11 4 0
// prints: 8 1024 64 128 128 64
// prints: cudaSuccess cudaErrorUnsupportedLimit
// prints: 128 49152 40960 8192
