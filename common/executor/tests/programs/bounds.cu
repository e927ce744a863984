// Kernels that leave an array, write a constant or read what nothing wrote. Nothing is written where it does not belong.
// only: check
// orders: forward reverse random:1 random:2
#include <cstdio>
#include <vector>

constexpr int kBlock = 64;
__device__ float out[kBlock], in[kBlock];

/// A launch that is stopped. The executor begins again after it.
#define STOPS(...) __VA_ARGS__, cudaDeviceReset()

__global__ void traps() {
  if (threadIdx.x == 3 && blockIdx.x == 1 && blockIdx.y == 0) __trap();
}
// reports: trap: thread \(3,0,0\) of block \(1,0,0\)

__global__ void staticShared() {
  __shared__ float tile[kBlock];
  tile[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 9) out[0] = tile[threadIdx.x + kBlock - 9];  // @static
}
// reports: out of bounds of shared memory: tile\[64\] of 64 elements.*\n  access by thread \(9,0,0\) of block \(0,0,0\) at .*:@static\n(.*\n)*.*stopped there

__global__ void dynamicShared() {
  extern __shared__ float4 tiles[];
  if (threadIdx.x == blockDim.x - 1) tiles[threadIdx.x] = {1, 2, 3, out[0]};  // @dynamic
}
// reports: out of bounds of shared memory: tiles\[63\] of 63 elements \(1008 bytes\)\n.* by thread \(63,0,0\) of block \(.*:@dynamic\n
// reports: out of bounds of shared memory: tiles\[63\] of 0 elements \(0 bytes\)\n.*:@dynamic\n

__global__ void global(float* values, int index) {
  if (threadIdx.x == 3) values[index] = 1;  // @global
}
// reports: of global memory: values\[100\] of 100 elements \(400 bytes, allocated at .*:@allocated\)\n  write of 4 bytes by thread \(3,0,0\) of block \(0,0,0\) at .*:@global\n(.*\n)*.*Compare the index with the size
// reports: of global memory: values\[150\] of 100 elements \(400 bytes, allocated at .*:@allocated\)\n  write .*:@global\n(.*\n)*.*Compare the index with the size
// reports: of global memory: values\[1000\] of 100 elements \(400 bytes, allocated at .*:@allocated\)\n  write .*:@global\n(.*\n)*.*Compare the index with the size
// reports: of global memory: values\[-1\] of 100 elements \(400 bytes, allocated at .*:@allocated\)\n  write .*:@global\n(.*\n)*.*Compare the index with the size
// reports: of global memory: values\[-100\] of 100 elements \(400 bytes, allocated at .*:@allocated\)\n  write .*:@global\n(.*\n)*.*Compare the index with the size
// reports: (?s)out of bounds: a kernel uses a null pointer.*:@global\n.*Give the kernel device memory
// reports: (?s)out of bounds: a kernel uses an address at which there is no memory.*:@global\n
// reports: (?s)out of bounds: a kernel uses host memory: a host array of 40 bytes, allocated at .*:@host\n.*:@global\n

__device__ int counts[4];
__global__ void variable(int index) { counts[index] = 1; }
// reports: out of bounds of global memory: counts\[4\] of 4 elements

__global__ void localArray(int index) {
  float local[4] = {1, 2, 3, 4};
  out[0] = local[index];  // @local
}
// reports: out of bounds of a local array: local\[4\] of 4 elements.*\n.*:@local\n
// reports: out of bounds of a local array: local\[-1\] of 4 elements.*\n.*:@local\n

/// Reads four numbers at once from number \p first on, and again in a copy, which clang++ does not tell of.
__global__ void fourAtOnce(const float* values, int first) {
  const float4* const four = reinterpret_cast<const float4*>(values + first);
  if (threadIdx.x == 0) out[0] = four->x + float4(*four).w;  // @four
}
// reports: misaligned access to global memory: values\[1\]\n.*:@four\n.*A float4 lies at a multiple of 16 bytes, and this address is 4 bytes past one(.*\n)*.*stopped there
// reports: misaligned access to global memory: values\[2\]\n.*:@four\n.*this address is 8 bytes past one
// reports: misaligned access to global memory: values\[7\]\n.*:@four\n.*this address is 12 bytes past one

/// Has doubles behind \p bytes bytes of shared memory.
__global__ void doublesBehind(int bytes) {
  extern __shared__ char room[];
  double* const doubles = reinterpret_cast<double*>(room + bytes);
  doubles[threadIdx.x] = threadIdx.x;  // @double
  __syncthreads();
  if (threadIdx.x == 0) out[0] = doubles[kBlock - 1];
}
// reports: misaligned access to shared memory: room\[.*\n.*:@double\n.*A double lies

/// Thread 5 leaves its element of the tile as it is.
__global__ void unwrittenShared() {
  __shared__ float part[kBlock];
  if (threadIdx.x != 5) part[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 50) out[0] = part[5];  // @part
}
// reports: uninitialised shared memory: part\[5\]\n  read by thread \(50,0,0\) of block \(0,0,0\) at .*:@part\n.*No thread of this block has written this element

__global__ void unwrittenGlobal(const float* unwritten) {
  if (threadIdx.x == 6) out[0] = unwritten[threadIdx.x];  // @read
}
// reports: uninitialised global memory: unwritten\[6\]\n  read by thread \(6,0,0\) of block \(0,0,0\) at .*:@read\n.*Neither the host nor a kernel has written this element

__global__ void addToUnwritten(float* sum) {
  if (threadIdx.x == 6) atomicAdd(&sum[0], 1.0f);  // @add
}
// reports: uninitialised global memory: sum\[0\]\n  read by thread \(6,0,0\) .*:@add\n

/// An exchange as the first access writes; an addition would read.
__global__ void exchange(float* unwritten) { atomicExch(unwritten, 7.0f); }

__constant__ float scales[4];
__global__ void writeConstant() {
  scales[threadIdx.x] = 1;  // @scales
}
// reports: write to constant memory: scales\[\d\]\n  write .*:@scales\n

static float* newValues() {
  float* values;
  cudaMalloc((void**)&values, 100 * sizeof(float));  // @allocated
  cudaMemset(values, 0, 100 * sizeof(float));
  return values;
}

/// An address that does not exist is computed and not used; the other one is used.
__global__ void neighbour(float* result, bool usesIt) {
  __shared__ float line[64];
  line[threadIdx.x] = line[threadIdx.x + 32] = 1;
  __syncthreads();
  const float* const next = &line[threadIdx.x + 40];  // @next
  result[threadIdx.x] = threadIdx.x + 40 < 64 || usesIt ? *next : 0;
}
// reports: out of bounds of shared memory: line\[\d+\] of 64 elements.*\n.*:@next\n
#pragma GCC diagnostic ignored "-Wreturn-type"
__device__ int withoutReturn(int x) {
  if (x > 100) return 1;
}  // @end
__global__ void callsIt(float* result) { result[0] = withoutReturn(threadIdx.x); }
// reports: no return: withoutReturn\(\) ends without a return\n  reached by thread .*:@end\n
/// On a GPU, a shift by the width or more gives 0.
__global__ void shifts(float* result, unsigned width) {
  result[(1u << width) - 1 == ~0u ? 0 : 100] = 1;
}

__global__ void noTexture(cudaTextureObject_t texture) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);  // @noTexture
}
// reports: texture: thread \(\d+,0,0\) of block \(0,0,0\) uses the texture object 0 at .*:@noTexture, which does not exist

/// On a GPU, a number out of range becomes the nearest integer. A type of 8 or 16 bits keeps its lower bits.
__managed__ int nearest[3];
__managed__ unsigned nearestUnsigned[3];
__managed__ unsigned char nearestByte[6];
__managed__ short nearestShort[6];
__global__ void conversions(const float* values) {
  nearestByte[threadIdx.x] = static_cast<unsigned char>(values[threadIdx.x]);
  nearestShort[threadIdx.x] = static_cast<short>(static_cast<double>(values[threadIdx.x]));
  if (threadIdx.x >= 3) return;
  nearest[threadIdx.x] = static_cast<int>(values[threadIdx.x]);
  nearestUnsigned[threadIdx.x] = static_cast<unsigned>(values[threadIdx.x]);
}

int main() {
  float *unwritten, *sum;
  cudaMalloc(&unwritten, kBlock * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  unwrittenShared<<<1, kBlock>>>();
  unwrittenGlobal<<<1, kBlock>>>(unwritten);
  addToUnwritten<<<1, kBlock>>>(sum);
  exchange<<<1, 32>>>(unwritten);
  cudaMemset(unwritten, 0, kBlock * sizeof(float));
  unwrittenGlobal<<<1, kBlock>>>(unwritten);
  dynamicShared<<<2, kBlock, kBlock * sizeof(float4)>>>();
  variable<<<1, 1>>>(2);
  fourAtOnce<<<1, kBlock>>>(newValues(), 8);
  doublesBehind<<<1, kBlock, (kBlock + 1) * sizeof(double)>>>(8);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));

  std::vector<float> host(10);  // @host
  STOPS(traps<<<dim3(2, 2), 32>>>());
  STOPS(staticShared<<<1, kBlock>>>());
  STOPS(dynamicShared<<<2, kBlock, (kBlock - 1) * sizeof(float4)>>>());
  STOPS(dynamicShared<<<2, kBlock>>>());
  STOPS(global<<<1, kBlock>>>(newValues(), 100));
  STOPS(global<<<1, kBlock>>>(newValues(), 150));
  STOPS(global<<<1, kBlock>>>(newValues(), 1000));
  STOPS(global<<<1, kBlock>>>(newValues(), -1));
  STOPS(global<<<1, kBlock>>>(newValues(), -100));
  STOPS(global<<<1, kBlock>>>(nullptr, 2));
  STOPS(global<<<1, kBlock>>>(reinterpret_cast<float*>(0x123456789000), 2));
  STOPS(global<<<1, kBlock>>>(host.data(), 2));
  STOPS(variable<<<1, 1>>>(4));
  writeConstant<<<1, 4>>>();
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaDeviceReset();
  STOPS(localArray<<<1, 1>>>(4));
  STOPS(localArray<<<1, 1>>>(-1));
  neighbour<<<1, 32>>>(newValues(), false);
  shifts<<<1, 1>>>(newValues(), 32);
  STOPS(neighbour<<<1, 32>>>(newValues(), true));
  STOPS(callsIt<<<1, 1>>>(newValues()));
  STOPS(fourAtOnce<<<1, kBlock>>>(newValues(), 1));
  STOPS(fourAtOnce<<<1, kBlock>>>(newValues(), 2));
  STOPS(fourAtOnce<<<1, kBlock>>>(newValues(), 7));
  const float large[] = {3e9f, -3e9f, NAN, 300, -1, 40000};
  float* values = newValues();
  cudaMemcpy(values, large, sizeof large, cudaMemcpyHostToDevice);
  conversions<<<1, 6>>>(values);
  cudaDeviceSynchronize();
  printf("%d %d %d %u %u %u\n", nearest[0], nearest[1], nearest[2], nearestUnsigned[0], nearestUnsigned[1], nearestUnsigned[2]);
  for (int i = 0; i < 6; ++i) printf(" %d,%d", nearestByte[i], nearestShort[i]);
  printf("\n");
  STOPS(noTexture<<<1, 32>>>(0));
  STOPS(doublesBehind<<<1, kBlock, (kBlock + 1) * sizeof(double)>>>(4));
  printf("%g\n", host[2]);
}
// prints: cudaSuccess
// prints: cudaErrorIllegalAddress
// prints: 2147483647 -2147483648 0 3000000000 0 0
// prints:  0,-1 0,0 0,0 44,300 0,-1 64,-25536
// prints: 0
// status: 1
