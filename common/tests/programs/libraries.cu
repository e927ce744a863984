// CUB and Thrust. nvcc compiles it too, and a GPU must print the same.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <cub/cub.cuh>

#include <cstdio>
#include <iostream>
#include <iterator>
#include <vector>

struct Saxpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct Square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};
struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct Add {
  template <class Tuple>
  __host__ __device__ void operator()(Tuple t) const {
    thrust::get<2>(t) = thrust::get<0>(t) + thrust::get<1>(t);
  }
};

__global__ void scaled(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];  // of what Thrust has written
}

__global__ void blocks(const int* in, int* sums, int* scans) {
  using Reduce = cub::BlockReduce<int, 128>;
  using Scan = cub::BlockScan<int, 128>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
  } storage;
  const int i = blockIdx.x * 128 + threadIdx.x;
  const int sum = Reduce(storage.reduce).Sum(in[i]);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  __syncthreads();
  int before;
  Scan(storage.scan).ExclusiveSum(in[i], before);
  scans[i] = before;
}

__global__ void warps(const int* in, int* out) {
  using Reduce = cub::WarpReduce<int>;
  using Scan = cub::WarpScan<int>;
  __shared__ typename Reduce::TempStorage reduce[4];
  __shared__ typename Scan::TempStorage scan[4];
  const int i = threadIdx.x, warp = i / 32;
  const int sum = Reduce(reduce[warp]).Sum(in[i]);
  int before;
  Scan(scan[warp]).ExclusiveSum(in[i], before);
  __syncwarp();
  const int greatest = Reduce(reduce[warp]).Reduce(before, cub::Max());
  if (i % 32 == 0) out[warp] = sum - greatest;  // the warp's last value
}

/// To iterators that only write, one after the other.
static void copiedOut(const thrust::device_vector<int>& values) {
  thrust::copy(values.begin(), values.end(), std::ostream_iterator<int>(std::cout, ","));
  std::cout << std::endl;
  std::vector<int> appended;
  thrust::copy_n(values.begin(), 3, std::back_inserter(appended));
  printf("%zu %d\n", appended.size(), appended[2]);
}

static void withThrust() {
  thrust::device_vector<float> x(1000), y(1000, 1.0f), z(1000);
  thrust::sequence(x.begin(), x.end());
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Saxpy{2});
  scaled<<<4, 256>>>(thrust::raw_pointer_cast(y.data()), thrust::raw_pointer_cast(z.data()), 1000);
  const float last = z[999];
  printf(
      "%g %g\n",
      last,
      thrust::transform_reduce(x.begin(), x.begin() + 11, Square(), 0.0f, thrust::plus<float>()));
  auto zip = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin(), z.begin()));
  thrust::for_each(thrust::device, zip, zip + 1000, Add());
  printf("%g %g\n", float(z[10]), thrust::inner_product(x.begin(), x.begin() + 4, y.begin(), 0.0f));
  thrust::host_vector<int> h(6);
  for (int i = 0; i < 6; ++i) h[i] = (i * 5 + 3) % 4;
  thrust::device_vector<int> keys = h, values(6);
  thrust::sequence(values.begin(), values.end());
  thrust::stable_sort_by_key(keys.begin(), keys.end(), values.begin());
  for (int i = 0; i < 6; ++i) printf("%d:%d ", int(keys[i]), int(values[i]));
  fflush(stdout);
  copiedOut(keys);
  const auto end = thrust::unique(keys.begin(), keys.end());
  printf("%d\n", int(end - keys.begin()));
  thrust::device_vector<int> odd(50);
  const auto stop = thrust::copy_if(
      thrust::make_counting_iterator(0), thrust::make_counting_iterator(100), odd.begin(), IsOdd());
  thrust::exclusive_scan(odd.begin(), stop, odd.begin());
  h = odd;
  printf("%d %d %d\n", int(stop - odd.begin()), h[2], h[49]);
}

static void withCub() {
  const int n = 256;
  int *in, *out, *sums, host[n], two[2];
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&sums, 2 * sizeof(int));
  for (int i = 0; i < n; ++i) host[i] = i * 37 % 101;
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  void* storage = nullptr;
  size_t bytes = 0;
  cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, n);
  cudaMalloc(&storage, bytes);
  cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, n);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", host[0], host[100], host[255]);
  cudaFree(storage);
  storage = nullptr;
  cub::DeviceScan::InclusiveSum(storage, bytes, in, out, n);
  cudaMalloc(&storage, bytes);
  cub::DeviceScan::InclusiveSum(storage, bytes, in, out, n);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[1], host[255]);
  cudaFree(storage);
  blocks<<<2, 128>>>(in, sums, out);
  cudaMemcpy(two, sums, sizeof two, cudaMemcpyDeviceToHost);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d\n", two[0], two[1], host[127], host[128]);
  cudaMemcpy(host, in, sizeof host, cudaMemcpyDeviceToHost);
  warps<<<1, 128>>>(in, out);
  cudaMemcpy(two, out, sizeof two, cudaMemcpyDeviceToHost);
  printf("%d %d\n", two[0] - host[31], two[1] - host[63]);
  cudaFree(in);
  cudaFree(out);
  cudaFree(sums);
}

int main() {
  withThrust();
  withCub();
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
// prints: 3998 385
// prints: 31 34
// prints: 0:1 0:5 1:2 2:3 3:0 3:4 0,0,1,2,3,3,
// prints: 3 1
// prints: 4
// prints: 50 4 2401
// prints: 0 39 100
// prints: 37 12749
// prints: 6321 6428 6268 0
// prints: 0 0
// prints: cudaSuccess
