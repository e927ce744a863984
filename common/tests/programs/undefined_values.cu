// A value from memory that nobody has written, or from a lane that has returned, is a mistake only if a
// result depends on it.
// check reports: uninitialised shared memory: part\[8\]\n.*:@part\n
// check reports: (?s)wrong lane: thread \(15,0,0\) .* reads lane 16 in __shfl_down_sync\(\) at .*:@lane, .* returned
// check reports: (?s)wrong lane: .*:@mask, but that lane is not in the mask
// check notes: uninitialised shared memory: part\[8\]\n.*:@part\n
// check notes: uninitialised shared memory: flags\[16\]\n.*:@decision\n
// check notes: (?s)wrong lane: .*:@unusedLane, but that lane has returned
// check notes: (?s)wrong lane: .*:@selected, but that lane is not in the mask
// check notes: (?s)wrong lane: .*:@chosen, but that lane is not in the mask
// check reports: (?s)wrong lane: .*:@added, but that lane is not in the mask
// prints: 8 120
// check status: 1
#include <cstdio>

__managed__ int a[32], b;
__device__ float c[20];

/// One of 8 sums of warps for each lane: the others have none.
__global__ void sumOfWarps(bool tooFar) {
  __shared__ int part[32];
  if (threadIdx.x < 8) part[threadIdx.x] = 1;
  __syncthreads();
  int v = part[threadIdx.x];  // @part
  for (int o = tooFar ? 8 : 4; o > 0; o /= 2) v += __shfl_down_sync(~0u, v, o);
  if (threadIdx.x == 0) a[0] = v;
}
__global__ void decides() {
  __shared__ int flags[32];
  if (threadIdx.x < 16) flags[threadIdx.x] = 0;
  __syncthreads();
  if (flags[threadIdx.x] == 12345) b = 1;  // @decision
}
__global__ void sumOfRow() {
  __shared__ int part[16];
  if (threadIdx.x == 0) part[threadIdx.y] = threadIdx.y;
  __syncthreads();
  if (threadIdx.y > 0) return;
  int v = part[threadIdx.x];
  for (int o = 8; o > 0; o /= 2) v += __shfl_down_sync(~0u, v, o);  // @unusedLane
  if (threadIdx.x == 0) b = v;
}
__global__ void usesLane() {
  if (threadIdx.x >= 16) return;
  a[threadIdx.x] = __shfl_down_sync(~0u, threadIdx.x, 1);  // @lane
}
__global__ void usesLaneOutsideMask() {
  if (threadIdx.x >= 16) return;
  a[threadIdx.x] = __shfl_sync(0xffffu, threadIdx.x, 20);  // @mask
}
/// Lanes beyond the end are read, and what they give is left out.
__global__ void largestOfRest(unsigned n) {
  const unsigned i = threadIdx.x, mask = __ballot_sync(~0u, i < n);
  if (i >= n) return;
  float v = i, sum = i;
  for (int d = 1; d < n; d *= 2) {
    const float w = __shfl_down_sync(mask, v, d);  // @selected
    if (i + d < n && w > v) v = w;
    const float s = __shfl_down_sync(mask, sum, d);  // @chosen
    sum += i + d < n ? s : 0;
  }
  c[i] = v + sum;
}
__global__ void sumOfRest(unsigned n) {
  const unsigned i = threadIdx.x, mask = __ballot_sync(~0u, i < n);
  if (i >= n) return;
  float sum = i;
  for (int d = 1; d < n; d *= 2) sum += __shfl_down_sync(mask, sum, d);  // @added
  c[i] = sum;
}

int main() {
  sumOfWarps<<<1, 32>>>(false);
  decides<<<1, 32>>>();
  sumOfRow<<<1, dim3(16, 16)>>>();
  cudaDeviceSynchronize();
  printf("%d %d\n", a[0], b);
  sumOfWarps<<<1, 32>>>(true);
  usesLane<<<1, 32>>>();
  usesLaneOutsideMask<<<1, 32>>>();
  largestOfRest<<<1, 32>>>(20);
  sumOfRest<<<1, 32>>>(20);
  cudaDeviceSynchronize();
}
