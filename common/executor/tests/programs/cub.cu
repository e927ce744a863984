// CUB: device-wide functions, blocks and warps. nvcc compiles it too, and a GPU must print the same.
#include <cub/cub.cuh>

#include <cstdio>

constexpr int n = 256;
__managed__ int in[n], out[n], sums[2], scanned[n], last[4];

__global__ void blocks() {
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
  scanned[i] = before;
}

__global__ void warps() {
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
  if (i % 32 == 0) last[warp] = sum - greatest;  // the warp's last value
}

int main() {
  for (int i = 0; i < n; ++i) in[i] = i * 37 % 101;
  void* storage = nullptr;
  size_t bytes = 0;
  cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, n);
  cudaMalloc(&storage, bytes);
  cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, n);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", out[0], out[100], out[255]);
  cudaFree(storage);
  storage = nullptr;
  cub::DeviceScan::InclusiveSum(storage, bytes, in, out, n);
  cudaMalloc(&storage, bytes);
  cub::DeviceScan::InclusiveSum(storage, bytes, in, out, n);
  cudaDeviceSynchronize();
  printf("%d %d\n", out[1], out[255]);
  cudaFree(storage);
  blocks<<<2, 128>>>();
  warps<<<1, 128>>>();
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", sums[0], sums[1], scanned[127], scanned[128]);
  printf("%d %d\n", last[0] - in[31], last[1] - in[63]);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
// prints: 0 39 100
// prints: 37 12749
// prints: 6321 6428 6268 0
// prints: 0 0
// prints: cudaSuccess
