// CUB. nvcc compiles it too, and a GPU must print the same.
#include <cub/cub.cuh>

#include <cstdio>

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

int main() {
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
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
// prints: 0 39 100
// prints: 37 12749
// prints: 6321 6428 6268 0
// prints: 0 0
// prints: cudaSuccess
