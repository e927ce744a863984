// A value from memory that nobody has written, or from a lane that has returned, is a mistake only if a
// result depends on it.
// check reports: uninitialised shared memory: part\[8\]\n.*:@part\n
// check reports: (?s)wrong lane: thread \(15,0,0\) .* reads lane 16 in __shfl_down_sync\(\) at .*:@lane, .* returned
// check reports: (?s)wrong lane: thread \(0,0,0\) .* reads lane 16 in .*:@branch, but that lane never calls it: it has taken another branch, or has returned before\.
// check reports: (?s)wrong lane: .* reads lane 31 in .*:@few, but the block has only 20 threads\.
// check reports: (?s)wrong lane: .*:@mask, but that lane is not in the mask
// check notes: (?s)exchange between branches: thread \(0,0,0\) .* calls __shfl_xor_sync\(\) at .*:@one, and .*:@other\.
// check notes: uninitialised shared memory: part\[8\]\n.*:@part\n
// check notes: uninitialised shared memory: flags\[16\]\n.*:@decision\n
// check notes: uninitialised shared memory: planes\[2\]\[0\]\n.*:@plane\n
// check notes: (?s)wrong lane: .*:@unusedLane, but that lane never calls it
// check notes: (?s)wrong lane: .*:@selected, but that lane is not in the mask
// check notes: (?s)wrong lane: .*:@chosen, but that lane is not in the mask
// check reports: (?s)wrong lane: .*:@added, but that lane is not in the mask
// check reports: (?s)wrong lane: thread \(0,0,0\) .* needs lane 20 in reduce\(\) at .*:@tile, but that lane never calls it
// check reports: uninitialised local variable: sum\n  read by thread \(0,0,0\) .*:@sum\n.*No statement has given it a value
// check reports: uninitialised local variable: r\n  read by thread \(10,0,0\) .*:@onePath\n
// check reports: uninitialised local variable: v.z\n.*:@member\n
// check reports: uninitialised local variable: q.weight\n.*:@weight\n
// check reports: uninitialised local variable: .*imaginary\n.*:@constructed\n
// check reports: uninitialised local variable: a.most\n.*:@byValue
// check reports: uninitialised local array: bins\[\d\]\n.*:@bins\n
// check reports: uninitialised local array: row\[7\]\n.*:@partly\n
// check reports: uninitialised local variable: .*\n.*:@byReference\n
// check reports: uninitialised local variable: first\n.*:@passed\n
// check reports: uninitialised local variable: kept\n.*:@kept\n
// check reports: uninitialised shared memory: never\[4\]\n.*:@never\n
// check reports: (?s)race on shared memory: never\[0\]\n.*:@never\n
// prints: 8 120 1 1
// check status: 1
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;
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
__global__ void usesLaneOfOtherBranch() {
  int v = threadIdx.x;
  if (threadIdx.x < 16) v += __shfl_down_sync(~0u, v, 16);  // @branch
  else v *= 2;
  a[threadIdx.x] = v;
}
__global__ void usesLaneBeyondBlock() {
  a[threadIdx.x] = __shfl_sync(~0u, threadIdx.x, 31);  // @few
}
__global__ void usesLaneOutsideMask() {
  if (threadIdx.x >= 16) return;
  a[threadIdx.x] = __shfl_sync(0xffffu, threadIdx.x, 20);  // @mask
}
/// The lanes of both branches exchange values with the full mask.
__global__ void exchange() {
  int v = threadIdx.x;
  if (threadIdx.x < 16) v += __shfl_xor_sync(~0u, v, 1);  // @one
  else v -= __shfl_xor_sync(~0u, v, 1);  // @other
  a[threadIdx.x] = v;
}
__global__ void ofOneBranch() {
  int v = a[threadIdx.x];
  if (threadIdx.x < 16) v += __shfl_xor_sync(0xffff, v, 1);
  a[threadIdx.x] = v;
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
/// The lanes that have returned belong to the tile. A warp's own reduction leaves them out.
__global__ void sumOfTile(unsigned n) {
  const unsigned i = threadIdx.x;
  if (i >= n) return;
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  c[i] = __reduce_add_sync(~0u, i);
  a[i] = cg::reduce(tile, i, cg::plus<unsigned>());  // @tile
}

// Local variables that were never written.

struct Particle {
  float3 position;
  float weight;
  int id;
};
__managed__ Particle particles[32];

struct Complex {
  float real, imaginary;
  __device__ Complex(float r) : real(r) {}
};
struct Range {
  int least, most;
};
__device__ Range join(Range a, Range b) {
  return {min(a.least, b.least), max(a.most, b.most)};  // @byValue
}

__device__ void addTo(float& sum, float x) {
  sum += x;  // @byReference
}
__global__ void neverWritten(int n) {
  const int i = threadIdx.x;
  float sum;
  for (int j = 0; j < n; ++j) sum += j;  // @sum
  float r;
  if (i < 10) r = i;
  if (i < 20) c[i] = sum + r;  // @onePath
  float3 v;
  v.x = v.y = i;
  if (i < 20) c[i] = v.x + v.y + v.z;  // @member
  int bins[8];
  for (int j = 0; j < n; ++j) bins[j * i & 7]++;  // @bins
  float byReference;
  addTo(byReference, 1);
  addTo(byReference, 2);
  if (i < 20) c[i] = bins[n & 7] + byReference;
  int first;
  if (i == 1) first = 3;
  a[i] = __shfl_sync(~0u, first, 0);  // @passed
  __shared__ float values[32];
  float kept;
  if (i < 16) kept = i;
  values[i] = kept;  // @kept
  __syncthreads();
  if (i < 20) c[i] = values[31 - i];
}
/// Each block has another mistake.
__global__ void membersNeverWritten(int n) {
  const int i = threadIdx.x;
  if (blockIdx.x == 0) {
    Particle q;
    q.position = make_float3(i, i, i);
    for (int j = 0; j < n; ++j) q.weight += j;  // @weight
    particles[i] = q;
  } else if (blockIdx.x == 1) {
    const Complex z(i);
    if (i < 10) c[i] = z.real * z.imaginary;  // @constructed
  } else if (blockIdx.x == 2) {
    float row[8], ofRow = 0;
    for (int j = 0; j < 7; ++j) row[j] = j;
    for (int j = 0; j < 8; ++j) ofRow += row[j];  // @partly
    if (i >= 10 && i < 20) c[i] = ofRow;
  } else {
    Range range;
    range.least = 99;
    for (int j = 0; j < n; ++j) range = join(range, {j * i % 7, j * i % 7});
    a[i] = join(range, {n, n}).most;
  }
}
/// A race with the next iteration, and elements that no thread ever writes.
__global__ void raceAndNever() {
  __shared__ float never[8];
  float sum = 0;
  for (int k = 0; k < 2; ++k) {
    if (threadIdx.x < 4) never[threadIdx.x] = k + threadIdx.x;
    __syncthreads();
    for (int j = 0; j < 8; ++j) sum += never[j];  // @never
  }
  if (threadIdx.x < 20) c[threadIdx.x] = sum;
}

__device__ bool find(const int* values, int n, int value, int* at) {
  for (int j = 0; j < n; ++j)
    if (values[j] == value) return *at = j, true;
  return false;
}
__managed__ float4 vectors[32];
/// Every value that a result depends on is written first.
__global__ void written(int n) {
  const int i = threadIdx.x;
  float best;
  bool any = false;
  for (int j = 0; j < n; ++j)
    if (!any || j * i % 7 > best) best = j * i % 7, any = true;
  int at, where = 0;
  if (find(a, 32, 3, &at)) where = at;
  if (find(a, 32, -3, &at)) where += at;
  Particle p;
  p.position = make_float3(i, i, i);
  p.id = i;
  particles[i] = p;
  float4 v;
  v.x = v.y = v.z = i;
  vectors[i] = v;
  int leader;
  if (i == 0) leader = 5;
  leader = __shfl_sync(~0u, leader, 0);
  unsigned char bytes[16];
  for (int j = 0; j < 16; ++j) bytes[j] = 254;
  int ofBytes = 0;
  for (int j = 0; j < 16; ++j) ofBytes += bytes[j];
  __shared__ float planes[3][32];
  planes[0][i] = i;
  for (int z = 0; z < n; ++z) {
    if (z + 1 < n) planes[(z + 1) % 3][i] = z;
    const float before = planes[(z + 2) % 3][i];  // @plane
    best += z > 0 ? before : 0;
  }
  if (i == 0) b = ofBytes + leader + where + best;
}

int main() {
  sumOfWarps<<<1, 32>>>(false);
  decides<<<1, 32>>>();
  sumOfRow<<<1, dim3(16, 16)>>>();
  cudaDeviceSynchronize();
  const int first = a[0];
  exchange<<<1, 32>>>();
  cudaDeviceSynchronize();
  printf("%d %d %d %d\n", first, b, a[0], a[31]);
  ofOneBranch<<<1, 32>>>();
  sumOfWarps<<<1, 32>>>(true);
  usesLane<<<1, 32>>>();
  usesLaneOfOtherBranch<<<1, 32>>>();
  usesLaneBeyondBlock<<<1, 20>>>();
  usesLaneOutsideMask<<<1, 32>>>();
  largestOfRest<<<1, 32>>>(20);
  sumOfRest<<<1, 32>>>(20);
  sumOfTile<<<1, 32>>>(20);
  written<<<1, 32>>>(8);
  neverWritten<<<1, 32>>>(9);
  membersNeverWritten<<<4, 32>>>(9);
  raceAndNever<<<1, 64>>>();
  cudaDeviceSynchronize();
}
