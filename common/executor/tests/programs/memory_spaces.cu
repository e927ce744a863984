// Shared memory, static and dynamic, and variables of the device.
#include <cstdio>

extern __shared__ double whole[];
extern __shared__ int4 wholeInts[];
__constant__ float factor = 1, factors[4] = {1, 2, 3, 4};
__constant__ struct {
  float a;
  int b[3];
} parameters = {2.0f, {1, 2, 3}};
static __constant__ unsigned long long big = 1ull << 40;
__device__ int counters[3], total = 5;
__device__ const float kTable[3] = {7, 8, 9};
__managed__ int managed = 3;
struct __align__(16) Pair {
  float a, b;
};
__device__ Pair devicePair = {1, 2};
__device__ float twice(float x) { return 2 * x; }
__device__ float (*function)(float) = twice;
__device__ __forceinline__ static float half(float x) { return x / 2; }
static __inline__ __device__ __host__ float next(float x) { return x + 1; }
__device__ int same(int whole) { return whole; }  // a parameter, not the array

__managed__ double doubles[32];
__managed__ float d[32];
__managed__ int ints[32];

__global__ void reversed(double* out) {
  whole[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = whole[blockDim.x - 1 - threadIdx.x];
}
__global__ void vectors(int* out) {
  const int4 v = {1, 2, 3, static_cast<int>(threadIdx.x)};
  wholeInts[threadIdx.x] = v;
  __syncthreads();
  out[threadIdx.x] = reinterpret_cast<int*>(wholeInts)[4 * threadIdx.x + 3] + same(wholeInts[0].y);
}
template <class T>
__device__ T* memory() {
  extern __shared__ __align__(sizeof(double)) unsigned char bytes[];
  return reinterpret_cast<T*>(bytes);
}
template <>
__device__ int* memory<int>() {
  extern __shared__ int ints[];
  return ints;
}
template <class T>
__global__ void generic(T* x) {
  T* s = memory<T>();
  s[threadIdx.x] = T(threadIdx.x);
  __syncthreads();
  x[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void rows(float* x) {
  extern __shared__ float tile[][5];
  tile[threadIdx.y][threadIdx.x] = threadIdx.x + 10 * threadIdx.y;
  __syncthreads();
  x[threadIdx.y * 4 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void several(float* x) {
  extern __shared__ volatile float v[], same[];
  __shared__ float m[2][3], s, *p;
  if (threadIdx.x == 0) {
    v[0] = 4;
    s = 5;
    p = &s;
    m[1][2] = 6;
  }
  __syncthreads();
  x[threadIdx.x] = same[0] + *p + m[1][2];
}
template <class T, int N>
__global__ void sized(T* x) {
  __shared__ T tile[N + 1];
  tile[threadIdx.x] = N;
  __syncthreads();
  x[threadIdx.x] = tile[N - 1 - threadIdx.x];
}
__global__ void variables(float* x) {
  x[threadIdx.x] = factor * factors[threadIdx.x] + parameters.a + parameters.b[1] + kTable[0] +
                   function(1) + half(devicePair.b) + next(0);
  atomicAdd(&counters[1], 2);
  if (threadIdx.x == 0) managed += total;
}

int main() {
  reversed<<<1, 32, 32 * sizeof(double)>>>(doubles);
  vectors<<<1, 32, 32 * sizeof(int4)>>>(ints);
  cudaDeviceSynchronize();
  printf("%g %d\n", doubles[0], ints[5]);
  generic<float><<<1, 32, 32 * sizeof(float)>>>(d);
  generic<<<1, 32, 32 * sizeof(int)>>>(ints);
  cudaDeviceSynchronize();
  printf("%g %d\n", d[0], ints[1]);
  rows<<<1, dim3(4, 4), 4 * 5 * sizeof(float)>>>(d);
  cudaDeviceSynchronize();
  printf("%g\n", d[1]);
  several<<<1, 2, 16>>>(d);
  cudaDeviceSynchronize();
  printf("%g\n", d[1]);
  sized<float, 8><<<1, 8>>>(d);
  sized<double, 16><<<1, 16>>>(doubles);
  cudaDeviceSynchronize();
  printf("%g %g\n", d[0], doubles[0]);
  const float ten = 10;
  cudaMemcpyToSymbol(factor, &ten, sizeof ten);
  variables<<<1, 4>>>(d);
  cudaDeviceSynchronize();
  int count[3];
  cudaMemcpyFromSymbol(count, counters, sizeof count);
  float third;
  cudaMemcpyFromSymbol(&third, factors, sizeof third, 2 * sizeof(float));
  void* address;
  cudaGetSymbolAddress(&address, counters);
  cudaMemset(address, 0, sizeof counters);
  unsigned long long number;
  cudaMemcpyFromSymbol(&number, big, sizeof number);
  printf("%g %d %g %d %d %llu\n", d[3], count[1], third, managed, int(sizeof counters),
         number >> 39);
}
// prints: 31 7
// prints: 31 30
// prints: 10
// prints: 15
// prints: 8 16
// prints: 55 8 3 8 12 2
