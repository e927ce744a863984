// CUB's temporary storage, used twice without a barrier in between.
#include <cub/cub.cuh>

#include <cstdio>

__managed__ int in[128], out[3], outOfWarps;

__global__ void sumAndGreatest() {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage storage;
  const int sum = Reduce(storage).Sum(in[threadIdx.x]);  // @first
  const int greatest = Reduce(storage).Reduce(in[threadIdx.x], cub::Max());  // @second
  __syncthreads();
  const int least = Reduce(storage).Reduce(in[threadIdx.x], cub::Min());
  if (threadIdx.x != 0) return;
  out[0] = sum;
  out[1] = greatest;
  out[2] = least;
}

__global__ void sumsOfWarps() {
  using Reduce = cub::WarpReduce<int>;
  __shared__ typename Reduce::TempStorage storage[4];
  const int warp = threadIdx.x / 32;
  const int sum = Reduce(storage[warp]).Sum(in[threadIdx.x]);  // @firstOfWarp
  const int greatest = Reduce(storage[warp]).Reduce(in[threadIdx.x], cub::Max());  // @secondOfWarp
  if (threadIdx.x == 0) outOfWarps = sum + greatest;
}

int main() {
  for (int i = 0; i < 128; ++i) in[i] = i;
  sumAndGreatest<<<1, 128>>>();
  sumsOfWarps<<<1, 128>>>();
  cudaDeviceSynchronize();
  printf("%d %d %d\n%d\n", out[0], out[1], out[2], outOfWarps);
}
// prints: 8128 127 0
// prints: 527
// check reports: race on shared memory: storage, byte \d+\n  read by thread .* at programs/storage_reuse.cu:@first\n  write by thread .* at programs/storage_reuse.cu:@second\n  A __syncthreads\(\) is missing
// check reports: race on shared memory: storage\[\d\]\n  read by thread .* at programs/storage_reuse.cu:@firstOfWarp\n  write by thread .* at programs/storage_reuse.cu:@secondOfWarp\n  A __syncwarp\(\)
// check status: 1
