// Variables of the device that several files may define: templates and inline ones.
#include <cstdio>

template <typename T>
__device__ T value;
template <typename T, int kCount = 4>
__device__ T table[kCount] = {1, 2, 3, 4};
template <typename T>
__constant__ T factor = T(2);
template <>
__constant__ int factor<int> = 3;
namespace counts {
template <typename T>
static __device__ T steps = 5;
template <typename T>
__managed__ T managed = 6;
inline __device__ int total = 7;
}  // namespace counts

template <typename T>
__global__ void sum(T* out) {
  value<T> += factor<T>;
  atomicAdd(&counts::managed<T>, T(1));
  *out = value<T> + table<T>[1] + counts::steps<T> + counts::total;
}

template <typename T>
void useFromTheHost(T* out) {
  T h = 40;
  cudaMemcpyToSymbol(value<T>, &h, sizeof h);
  sum<<<1, 1>>>(out);
  cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
  T own, *address = nullptr;
  cudaMemcpyFromSymbol(&own, value<T>, sizeof own);
  cudaGetSymbolAddress(reinterpret_cast<void**>(&address), value<T>);
  cudaMemset(address, 0, sizeof own);
  T cleared = 1;
  cudaMemcpyFromSymbol(&cleared, value<T>, sizeof cleared);
  printf("%g %g %g %g\n", double(h), double(own), double(cleared), double(counts::managed<T>));
}

int main() {
  void* d;
  cudaMalloc(&d, sizeof(double));
  useFromTheHost(static_cast<float*>(d));
  useFromTheHost(static_cast<int*>(d));
  cudaFree(d);
  fflush(stdout);
  value<float> = 1;  // @write
}
// prints: 56 42 0 7
// prints: 57 43 0 7
// reports: device memory on the host: host code writes the device variable 'value<float>' at .*:@write
// status: 1
