// CUB: device-wide functions, blocks and warps. nvcc compiles it too, and a GPU must print the same.
#include <cub/cub.cuh>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kBlock = 128, kItems = 3;

struct Greater {
  __host__ __device__ int operator()(int x, int y) const { return x > y ? x : y; }
};
#if __CUDACC_VER_MAJOR__ < 13
using Max = cub::Max;
#else
using Max = Greater;
#endif

__global__ void blocks() {
  using Reduce = cub::BlockReduce<int, kBlock>;
  using Scan = cub::BlockScan<int, kBlock>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
  } storage;
  const int i = threadIdx.x;
  const int sum = Reduce(storage.reduce).Sum(i);
  __syncthreads();
  int before, total, items[kItems], scanned[kItems];
  Scan(storage.scan).ExclusiveSum(i, before, total);
  __syncthreads();
  bool isRight = (i != 0 || sum == 8128) && before == i * (i - 1) / 2 && total == 8128;
  for (int k = 0; k < kItems; ++k) items[k] = (i * kItems + k) * 7919 % 384;  // 0 to 383
  const int all = Reduce(storage.reduce).Sum(items);
  __syncthreads();
  Scan(storage.scan).InclusiveScan(items, scanned, Max());
  __syncthreads();
  isRight = isRight && (i != 0 || all == 384 * 383 / 2) && (i != kBlock - 1 || scanned[2] == 383);
  Scan(storage.scan).InclusiveSum(items, scanned, total);
  isRight = isRight && total == 384 * 383 / 2 && scanned[1] == scanned[0] + items[1];
  if (!isRight) printf("thread %d of a block\n", i);
}

__global__ void warps() {
  __shared__ typename cub::WarpReduce<float, 16>::TempStorage halves[kBlock / 16];
  __shared__ typename cub::WarpReduce<int>::TempStorage reduce[kBlock / 32];
  __shared__ typename cub::WarpScan<int>::TempStorage scan[kBlock / 32];
  const int i = threadIdx.x, warp = i / 32;
  const float part = cub::WarpReduce<float, 16>(halves[i / 16]).Sum(1.0f, 10);
  const int greatest = cub::WarpReduce<int>(reduce[warp]).Reduce(i, Max());
  int sum, most;
  cub::WarpScan<int>(scan[warp]).InclusiveSum(1, sum);
  __syncwarp();
  cub::WarpScan<int>(scan[warp]).ExclusiveScan(i, most, 0, Max());
  const bool isRight = (i % 16 != 0 || part == 10) && (i % 32 != 0 || greatest == i + 31) && sum == i % 32 + 1 &&
                       most == (i % 32 == 0 ? 0 : i - 1);
  if (!isRight) printf("thread %d of a warp\n", i);
}

/// Ignores differences of up to a half.
struct Below {
  __host__ __device__ bool operator()(double x, double y) const { return x < y - 0.5; }
};

template <class T>
T* onDevice(const std::vector<T>& values) {
  T* device;
  cudaMalloc(&device, values.size() * sizeof(T));
  cudaMemcpy(device, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}
/// Makes both calls of CUB's protocol, and prints what is in \p out then.
template <class T, class Call>
void show(T* out, int count, const Call& call) {
  void* storage = nullptr;
  size_t bytes = 0;
  call(storage, bytes);
  cudaMalloc(&storage, bytes);
  size_t fewer = bytes - 1;
  const bool isRefused = call(storage, fewer) == cudaErrorInvalidValue;
  call(storage, bytes);
  std::vector<T> values(count);
  cudaMemcpy(values.data(), out, count * sizeof(T), cudaMemcpyDeviceToHost);
  printf(isRefused ? "ok" : "too little storage is taken");
  for (T value : values) printf(" %.13g", double(value));
  printf("\n");
  cudaFree(storage);
}
/// Sorts by the bits from \p begin to \p end.
template <class T>
void sort(const std::vector<T>& values, int begin, int end, bool descends) {
  const int n = values.size();
  T *in = onDevice(values), *out = onDevice(values);
  show(out, n, [&](void* storage, size_t& bytes) {
    return descends ? cub::DeviceRadixSort::SortKeysDescending(storage, bytes, in, out, n, begin, end)
                    : cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, n, begin, end);
  });
}

int main() {
  int *out = onDevice(std::vector<int>(6)), *in = onDevice<int>({4, -7, 9, 9, 0});
  show(out, 1, [&](void* storage, size_t& bytes) { return cub::DeviceReduce::Sum(storage, bytes, in, out, 5); });
  show(out, 1, [&](void* storage, size_t& bytes) { return cub::DeviceReduce::Min(storage, bytes, in, out, 5); });
  show(out, 1, [&](void* storage, size_t& bytes) {
    return cub::DeviceReduce::Reduce(storage, bytes, in, out, 5, Greater(), -100);
  });
  // From left to right this sum would be off by hundreds.
  float *tenths = onDevice(std::vector<float>(1 << 20, 0.1f)), *sum = onDevice<float>({0});
  void* storage = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(storage, bytes, tenths, sum, 1 << 20);
  cudaMalloc(&storage, bytes);
  cub::DeviceReduce::Sum(storage, bytes, tenths, sum, 1 << 20);
  float found;
  cudaMemcpy(&found, sum, sizeof found, cudaMemcpyDeviceToHost);
  printf("%d\n", std::fabs(found - 104857.6f) < 0.1f);
  int* numbers = onDevice<int>({1, 1, 2, 5, 5, 5});
  show(out, 6, [&](void* storage, size_t& bytes) { return cub::DeviceScan::ExclusiveSum(storage, bytes, numbers, out, 6); });
  show(out, 6, [&](void* storage, size_t& bytes) {
    return cub::DeviceScan::InclusiveScan(storage, bytes, numbers, out, Max(), 6);
  });
  sort<int>({3, -1, 0, -2000000000}, 0, 32, false);
  sort<float>({1, -INFINITY, 0.5f, -2}, 0, 32, true);
  sort<unsigned long long>({1ull << 40, 5, 3}, 0, 64, false);
  sort<unsigned>({0x123, 0x911, 0x12f, 0x010}, 4, 8, false);  // equal ones stay in their order
  double *keys = onDevice<double>({2, -0.0, 0.0, 1}), *sorted = onDevice(std::vector<double>(4));
  int *values = onDevice<int>({0, 1, 2, 3}), *order = onDevice(std::vector<int>(4));
  show(order, 4, [&](void* storage, size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, keys, sorted, values, order, 4);
  });
  show(values, 4, [&](void* storage, size_t& bytes) {
    return cub::DeviceMergeSort::StableSortPairs(storage, bytes, keys, values, 4, Below());
  });
  blocks<<<1, kBlock>>>();
  warps<<<1, kBlock>>>();
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
// prints: ok 15
// prints: ok -7
// prints: ok 9
// prints: 1
// prints: ok 0 1 2 4 9 14
// prints: ok 1 1 2 5 5 5
// prints: ok -2000000000 -1 0 3
// prints: ok 1 0.5 -2 -inf
// prints: ok 3 5 1099511627776
// prints: ok 2321 16 291 303
// prints: ok 1 2 3 0
// prints: ok 1 2 3 0
// prints: cudaSuccess
