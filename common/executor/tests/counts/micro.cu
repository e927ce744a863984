// Micro-kernels, each with one pattern of access. Nsight Compute counts them on a GPU (./run profile
// micro), and a test compares the executor's counts with what it recorded. A kernel is called what
// its launch has before the <<<: each launch begins a line, and no two have the same text there.
#include <cstdio>

struct Two {
  float x, y;
};
struct Three {
  float x, y, z;
};
struct Four {
  float x, y, z, w;
};
struct Five {
  float x, y, z, w, v;
};

constexpr int kBlocks = 16, kThreads = 128, kAll = kBlocks * kThreads;
__constant__ float table[256];

__device__ int own() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int lane() { return threadIdx.x % 32; }

// Global memory: widths, distances and offsets.

template <class T>
__global__ void copy(const T* in, T* out) {
  out[own()] = in[own()];
}

template <class T, int kStride>
__global__ void load(const T* in, T* out) {
  out[own()] = in[kStride * own()];
}

template <class T, int kStride>
__global__ void store(const T* in, T* out) {
  out[kStride * own()] = in[own()];
}

template <class T, int kOffset>
__global__ void loadFrom(const T* in, T* out) {
  out[own()] = in[own() + kOffset];
}

template <class T, int kOffset>
__global__ void storeFrom(const T* in, T* out) {
  out[own() + kOffset] = in[own()];
}

__global__ void member(const Four* in, float* out) { out[own()] = in[own()].y; }
__global__ void reversed(const float* in, float* out) { out[own()] = in[kAll - 1 - own()]; }
__global__ void exchanged(const float* in, float* out) { out[own() ^ 21] = in[own() ^ 5]; }
__global__ void broadcast(const float* in, float* out) { out[own()] = in[blockIdx.x]; }
__global__ void shared2(const float* in, float* out) { out[own()] = in[own() / 2]; }
__global__ void shared8(const float* in, float* out) { out[own()] = in[own() / 8]; }
__global__ void scattered(const float* in, float* out) {
  out[own() * 797 % kAll] = in[own() * 331 % kAll];
}
__global__ void readOnly(const float* __restrict__ in, float* out) {
  out[own()] = __ldg(in + own());
}
__global__ void readOnlyStride3(const float* __restrict__ in, float* out) {
  out[own()] = __ldg(in + 3 * own());
}
__global__ void readVolatile(const volatile float* in, float* out) { out[own()] = in[own()]; }

// Some of the lanes.

__global__ void oddLanes(const float* in, float* out) {
  if (own() % 2 == 1) out[own()] = in[own()];
}
template <int kLanes>
__global__ void firstLanes(const float* in, float* out) {
  if (lane() < kLanes) out[own()] = in[own()];
}
__global__ void firstOfEightLanes(const float* in, float* out) {
  if (lane() % 8 == 0) out[own()] = in[own()];
}
__global__ void guarded(const float* in, float* out, int n) {
  if (own() < n) out[own()] = in[own()];
}
/// The two sides differ in width, so that the compiler cannot make one access of two.
__global__ void twoSides(const float* in, float* out) {
  if (own() % 2 == 0) out[own()] = in[own()];
  else reinterpret_cast<float2*>(out)[kAll + own()] = reinterpret_cast<const float2*>(in)[own()];
}
__global__ void unequalLoops(const float* in, float* out) {
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k <= lane() % 4; ++k) sum += in[own() + k * kAll];
  out[own()] = sum;
}
__global__ void unequalStarts(const float* in, float* out) {
  float sum = 0;
#pragma unroll 1
  for (int k = lane() % 4; k < 4; ++k) sum += in[own() + k * kAll];
  out[own()] = sum;
}

// Blocks of two and three dimensions, and transposes of a square.

template <int kWidth>
__global__ void rows2d(const float* in, float* out, int n) {
  const int i = (blockIdx.y * blockDim.y + threadIdx.y) * n + blockIdx.x * kWidth + threadIdx.x;
  out[i] = in[i];
}
__global__ void columns2d(const float* in, float* out, int n) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * n + blockIdx.y * blockDim.y + threadIdx.y;
  out[i] = in[i];
}
__global__ void rows3d(const float* in, float* out) {
  const int i = (threadIdx.z * blockDim.y + threadIdx.y) * 2 * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void transposeNaive(const float* in, float* out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}
template <class T, int kPadding>
__global__ void transposeTile(const T* in, T* out, int n) {
  __shared__ T tile[32][32 + kPadding];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.x;
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.y + k][threadIdx.x] = in[(blockIdx.y * 32 + threadIdx.y + k) * n + x];
  __syncthreads();
  for (int k = 0; k < 32; k += 8)
    out[(blockIdx.x * 32 + threadIdx.y + k) * n + y] = tile[threadIdx.x][threadIdx.y + k];
}

// Constant and local memory.

__global__ void constantSame(float* out) { out[own()] = table[blockIdx.x]; }
__global__ void constantEach(float* out) { out[own()] = table[threadIdx.x]; }
__global__ void localArray(const float* in, float* out, int n) {
  float own8[8];
  for (int k = 0; k < 8; ++k) own8[k] = in[own() + k * kAll];
  out[own()] = own8[n % 8] + own8[(n + lane()) % 8];
}

// Shared memory: widths, distances and patterns.

constexpr int kTile = 1024;

/// Fills shared memory, without bank conflicts.
template <class T>
__device__ void fill(T* tile, const T* in) {
  for (int i = threadIdx.x; i < kTile; i += blockDim.x) tile[i] = in[i];
  __syncthreads();
}
template <class T, int kStride>
__global__ void sharedLoad(const T* in, T* out) {
  __shared__ T tile[kTile];
  fill(tile, in);
  out[own()] = tile[threadIdx.x * kStride % kTile];
}
template <class T, int kStride>
__global__ void sharedStore(const T* in, T* out) {
  __shared__ T tile[kTile];
  fill(tile, in);
  tile[threadIdx.x * kStride % kTile] = in[own()];
  __syncthreads();
  out[own()] = tile[threadIdx.x];
}
template <int kStride, int kOffset>
__global__ void sharedStruct(const Three* in, Three* out) {
  __shared__ Three tile[kTile];
  fill(tile, in);
  out[own()] = tile[(threadIdx.x * kStride + kOffset) % kTile];
}
__global__ void sharedPairs(const float* in, float* out) {
  __shared__ float tile[kTile];
  fill(tile, in);
  out[own()] = tile[threadIdx.x / 2];
}
__global__ void sharedTwoOfABank(const float* in, float* out) {
  __shared__ float tile[kTile];
  fill(tile, in);
  out[own()] = tile[lane() / 16 * 32 + lane() % 2];
}
__global__ void sharedExchanged(const float* in, float* out) {
  __shared__ float tile[kTile];
  fill(tile, in);
  out[own()] = tile[threadIdx.x ^ 21];
}
__global__ void sharedOddLanes(const float* in, float* out) {
  __shared__ float tile[kTile];
  fill(tile, in);
  if (lane() % 2 == 1) out[own()] = tile[threadIdx.x * 2];
}

// Lanes that share an element. Loads of 8 and 16 bytes differ here from those of 4.

template <class T, int kPlaces>
__global__ void sharedRepeated(const T* in, T* out) {
  __shared__ T tile[kTile];
  fill(tile, in);
  out[own()] = tile[threadIdx.x % kPlaces];
}
template <class T, int kLanes>
__global__ void sharedNeighbours(const T* in, T* out) {
  __shared__ T tile[kTile];
  fill(tile, in);
  out[own()] = tile[threadIdx.x / kLanes];
}
template <class T>
__global__ void sharedScattered(const T* in, T* out) {
  __shared__ T tile[kTile];
  fill(tile, in);
  out[own()] = tile[threadIdx.x * 13 % 24];
}
template <class T, int kFirst, int kCount>
__global__ void sharedSomeLanes(const T* in, T* out) {
  __shared__ T tile[kTile];
  fill(tile, in);
  if (lane() >= kFirst && lane() < kFirst + kCount) {
    const T element = tile[threadIdx.x];
    tile[kTile / 2 + threadIdx.x] = element;
    out[own()] = element;
  }
}

// Atomics. With the argument zero the compiler cannot know which addresses are equal. If it knows, it
// adds up within the warp first.

template <class T, int kStride>
__global__ void atomicAdds(const T* in, T* out, int zero) {
  atomicAdd(&out[own() * (kStride + zero)], in[own()]);
}
template <int kLanes>
__global__ void atomicShared(const float* in, float* out) {
  atomicAdd(&out[own() / kLanes], in[own()]);
}
template <int kPlaces>
__global__ void atomicPlaces(const float* in, float* out) {
  atomicAdd(&out[own() % kPlaces], in[own()]);
}
__global__ void atomicOddLanes(const float* in, float* out) {
  if (lane() % 2 == 1) atomicAdd(&out[own()], in[own()]);
}
__global__ void atomicReturns(const int* in, int* out, int zero) {
  out[kAll + own()] = atomicAdd(&out[own() * (1 + zero)], in[own()]);
}
__global__ void atomicMaximum(const int* in, int* out, int zero) {
  atomicMax(&out[own() * (2 + zero)], in[own()]);
}
__global__ void atomicSwap(const int* in, int* out, int zero) {
  atomicCAS(&out[own() * (1 + zero)], 1, in[own()]);
}
__global__ void atomicReplace(const int* in, int* out, int zero) {
  atomicExch(&out[own() * (1 + zero)], in[own()]);
}

template <int kStride>
__global__ void sharedAtomic(const int* in, int* out, int zero) {
  __shared__ int tile[kTile];
  fill(tile, in);
  atomicAdd(&tile[threadIdx.x * (kStride + zero) % kTile], in[own()]);
  __syncthreads();
  out[own()] = tile[threadIdx.x];
}
template <int kLanes>
__global__ void sharedAtomicShared(const int* in, int* out, int zero) {
  __shared__ int tile[kTile];
  fill(tile, in);
  atomicAdd(&tile[threadIdx.x / (kLanes + zero)], in[own()]);
  __syncthreads();
  out[own()] = tile[threadIdx.x];
}

/// Becomes a pointer of the type that a kernel wants.
struct Array {
  void* start = nullptr;
  explicit Array(std::size_t bytes) {
    cudaMalloc(&start, bytes);
    cudaMemset(start, 0, bytes);
  }
  template <class T>
  operator T*() const {
    return static_cast<T*>(start);
  }
};

int main() {
  const Array in(1 << 20), out(1 << 20);
  const int n = 128, zero = 0;
  const dim3 square(4, 4), high(4, 16), tile(32, 8);
  copy<char><<<kBlocks, kThreads>>>(in, out);
  copy<short><<<kBlocks, kThreads>>>(in, out);
  copy<float><<<kBlocks, kThreads>>>(in, out);
  copy<double><<<kBlocks, kThreads>>>(in, out);
  copy<Two><<<kBlocks, kThreads>>>(in, out);
  copy<Three><<<kBlocks, kThreads>>>(in, out);
  copy<float4><<<kBlocks, kThreads>>>(in, out);
  copy<Four><<<kBlocks, kThreads>>>(in, out);
  copy<Five><<<kBlocks, kThreads>>>(in, out);
  copy<double2><<<kBlocks, kThreads>>>(in, out);
  load<float, 2><<<kBlocks, kThreads>>>(in, out);
  load<float, 3><<<kBlocks, kThreads>>>(in, out);
  load<float, 4><<<kBlocks, kThreads>>>(in, out);
  load<float, 5><<<kBlocks, kThreads>>>(in, out);
  load<float, 7><<<kBlocks, kThreads>>>(in, out);
  load<float, 8><<<kBlocks, kThreads>>>(in, out);
  load<float, 16><<<kBlocks, kThreads>>>(in, out);
  load<float, 17><<<kBlocks, kThreads>>>(in, out);
  load<float, 32><<<kBlocks, kThreads>>>(in, out);
  load<float, 33><<<kBlocks, kThreads>>>(in, out);
  load<char, 4><<<kBlocks, kThreads>>>(in, out);
  load<char, 33><<<kBlocks, kThreads>>>(in, out);
  load<short, 2><<<kBlocks, kThreads>>>(in, out);
  load<double, 3><<<kBlocks, kThreads>>>(in, out);
  load<float4, 2><<<kBlocks, kThreads>>>(in, out);
  store<float, 2><<<kBlocks, kThreads>>>(in, out);
  store<float, 8><<<kBlocks, kThreads>>>(in, out);
  store<float, 33><<<kBlocks, kThreads>>>(in, out);
  store<char, 5><<<kBlocks, kThreads>>>(in, out);
  store<float4, 2><<<kBlocks, kThreads>>>(in, out);
  loadFrom<float, 1><<<kBlocks, kThreads>>>(in, out);
  loadFrom<float, 7><<<kBlocks, kThreads>>>(in, out);
  loadFrom<float, 8><<<kBlocks, kThreads>>>(in, out);
  loadFrom<char, 3><<<kBlocks, kThreads>>>(in, out);
  loadFrom<float4, 1><<<kBlocks, kThreads>>>(in, out);
  storeFrom<float, 1><<<kBlocks, kThreads>>>(in, out);
  storeFrom<short, 9><<<kBlocks, kThreads>>>(in, out);
  member<<<kBlocks, kThreads>>>(in, out);
  reversed<<<kBlocks, kThreads>>>(in, out);
  exchanged<<<kBlocks, kThreads>>>(in, out);
  broadcast<<<kBlocks, kThreads>>>(in, out);
  shared2<<<kBlocks, kThreads>>>(in, out);
  shared8<<<kBlocks, kThreads>>>(in, out);
  scattered<<<kBlocks, kThreads>>>(in, out);
  readOnly<<<kBlocks, kThreads>>>(in, out);
  readOnlyStride3<<<kBlocks, kThreads>>>(in, out);
  readVolatile<<<kBlocks, kThreads>>>(in, out);
  oddLanes<<<kBlocks, kThreads>>>(in, out);
  firstLanes<1><<<kBlocks, kThreads>>>(in, out);
  firstLanes<8><<<kBlocks, kThreads>>>(in, out);
  firstLanes<31><<<kBlocks, kThreads>>>(in, out);
  firstOfEightLanes<<<kBlocks, kThreads>>>(in, out);
  guarded<<<kBlocks, kThreads>>>(in, out, kAll - 37);
  twoSides<<<kBlocks, kThreads>>>(in, out);
  unequalLoops<<<kBlocks, kThreads>>>(in, out);
  unequalStarts<<<kBlocks, kThreads>>>(in, out);
  copy<int><<<kBlocks, 48>>>(in, out);
  rows2d<32><<<high, tile>>>(in, out, n);
  rows2d<16><<<dim3(8, 16), dim3(16, 8)>>>(in, out, n);
  columns2d<<<high, tile>>>(in, out, n);
  rows3d<<<1, dim3(8, 4, 4)>>>(in, out);
  transposeNaive<<<high, tile>>>(in, out, n);
  transposeTile<float, 0><<<square, tile>>>(in, out, n);
  transposeTile<float, 1><<<square, tile>>>(in, out, n);
  transposeTile<float, 2><<<square, tile>>>(in, out, n);
  transposeTile<double, 1><<<square, tile>>>(in, out, n);
  transposeTile<char, 4><<<square, tile>>>(in, out, n);
  constantSame<<<kBlocks, kThreads>>>(out);
  constantEach<<<kBlocks, kThreads>>>(out);
  localArray<<<kBlocks, kThreads>>>(in, out, n);
  sharedLoad<float, 0><<<4, 32>>>(in, out);
  sharedLoad<float, 1><<<4, 32>>>(in, out);
  sharedLoad<float, 2><<<4, 32>>>(in, out);
  sharedLoad<float, 3><<<4, 32>>>(in, out);
  sharedLoad<float, 8><<<4, 32>>>(in, out);
  sharedLoad<float, 16><<<4, 32>>>(in, out);
  sharedLoad<float, 32><<<4, 32>>>(in, out);
  sharedLoad<float, 33><<<4, 32>>>(in, out);
  sharedLoad<char, 1><<<4, 32>>>(in, out);
  sharedLoad<char, 4><<<4, 32>>>(in, out);
  sharedLoad<char, 128><<<4, 32>>>(in, out);
  sharedLoad<short, 1><<<4, 32>>>(in, out);
  sharedLoad<short, 64><<<4, 32>>>(in, out);
  sharedLoad<float2, 0><<<4, 32>>>(in, out);
  sharedLoad<float2, 1><<<4, 32>>>(in, out);
  sharedLoad<float2, 2><<<4, 32>>>(in, out);
  sharedLoad<float2, 3><<<4, 32>>>(in, out);
  sharedLoad<double, 1><<<4, 32>>>(in, out);
  sharedLoad<double, 16><<<4, 32>>>(in, out);
  sharedLoad<float4, 0><<<4, 32>>>(in, out);
  sharedLoad<float4, 1><<<4, 32>>>(in, out);
  sharedLoad<float4, 2><<<4, 32>>>(in, out);
  sharedLoad<float4, 3><<<4, 32>>>(in, out);
  sharedLoad<int, 4><<<4, 128>>>(in, out);
  sharedStore<float, 1><<<4, 32>>>(in, out);
  sharedStore<float, 2><<<4, 32>>>(in, out);
  sharedStore<float, 32><<<4, 32>>>(in, out);
  sharedStore<float, 33><<<4, 32>>>(in, out);
  sharedStore<char, 4><<<4, 32>>>(in, out);
  sharedStore<float2, 2><<<4, 32>>>(in, out);
  sharedStore<float4, 2><<<4, 32>>>(in, out);
  sharedStruct<1, 0><<<4, 32>>>(in, out);
  sharedStruct<2, 1><<<4, 32>>>(in, out);
  sharedPairs<<<4, 32>>>(in, out);
  sharedTwoOfABank<<<4, 32>>>(in, out);
  sharedExchanged<<<4, 32>>>(in, out);
  sharedOddLanes<<<4, 32>>>(in, out);
  sharedRepeated<float2, 2><<<4, 32>>>(in, out);
  sharedRepeated<float2, 4><<<4, 32>>>(in, out);
  sharedRepeated<float2, 8><<<4, 32>>>(in, out);
  sharedRepeated<float2, 16><<<4, 32>>>(in, out);
  sharedRepeated<float4, 2><<<4, 32>>>(in, out);
  sharedRepeated<float4, 4><<<4, 32>>>(in, out);
  sharedRepeated<float4, 8><<<4, 32>>>(in, out);
  sharedRepeated<float4, 16><<<4, 32>>>(in, out);
  sharedNeighbours<float2, 2><<<4, 32>>>(in, out);
  sharedNeighbours<float2, 4><<<4, 32>>>(in, out);
  sharedNeighbours<float2, 8><<<4, 32>>>(in, out);
  sharedNeighbours<float4, 2><<<4, 32>>>(in, out);
  sharedNeighbours<float4, 4><<<4, 32>>>(in, out);
  sharedNeighbours<float4, 8><<<4, 32>>>(in, out);
  sharedScattered<float><<<4, 32>>>(in, out);
  sharedScattered<float2><<<4, 32>>>(in, out);
  sharedScattered<float4><<<4, 32>>>(in, out);
  sharedSomeLanes<float, 0, 8><<<4, 32>>>(in, out);
  sharedSomeLanes<float, 8, 16><<<4, 32>>>(in, out);
  sharedSomeLanes<float, 20, 1><<<4, 32>>>(in, out);
  sharedSomeLanes<float2, 0, 8><<<4, 32>>>(in, out);
  sharedSomeLanes<float2, 8, 16><<<4, 32>>>(in, out);
  sharedSomeLanes<float2, 20, 1><<<4, 32>>>(in, out);
  sharedSomeLanes<float4, 0, 8><<<4, 32>>>(in, out);
  sharedSomeLanes<float4, 8, 16><<<4, 32>>>(in, out);
  sharedSomeLanes<float4, 20, 1><<<4, 32>>>(in, out);
  sharedStore<float2, 1><<<4, 32>>>(in, out);
  sharedStore<float2, 3><<<4, 32>>>(in, out);
  sharedStore<float4, 1><<<4, 32>>>(in, out);
  sharedStore<float4, 3><<<4, 32>>>(in, out);
  atomicAdds<float, 0><<<kBlocks, kThreads>>>(in, out, zero);
  atomicAdds<float, 1><<<kBlocks, kThreads>>>(in, out, zero);
  atomicAdds<float, 2><<<kBlocks, kThreads>>>(in, out, zero);
  atomicAdds<float, 8><<<kBlocks, kThreads>>>(in, out, zero);
  atomicAdds<float, 33><<<kBlocks, kThreads>>>(in, out, zero);
  atomicAdds<int, 1><<<kBlocks, kThreads>>>(in, out, zero);
  atomicAdds<double, 1><<<kBlocks, kThreads>>>(in, out, zero);
  atomicShared<2><<<kBlocks, kThreads>>>(in, out);
  atomicShared<8><<<kBlocks, kThreads>>>(in, out);
  atomicPlaces<2><<<kBlocks, kThreads>>>(in, out);
  atomicPlaces<32><<<kBlocks, kThreads>>>(in, out);
  atomicOddLanes<<<kBlocks, kThreads>>>(in, out);
  atomicReturns<<<kBlocks, kThreads>>>(in, out, zero);
  atomicMaximum<<<kBlocks, kThreads>>>(in, out, zero);
  atomicSwap<<<kBlocks, kThreads>>>(in, out, zero);
  atomicReplace<<<kBlocks, kThreads>>>(in, out, zero);
  sharedAtomic<0><<<4, 32>>>(in, out, zero);
  sharedAtomic<1><<<4, 32>>>(in, out, zero);
  sharedAtomic<2><<<4, 32>>>(in, out, zero);
  sharedAtomic<32><<<4, 32>>>(in, out, zero);
  sharedAtomic<33><<<4, 32>>>(in, out, zero);
  sharedAtomicShared<2><<<4, 32>>>(in, out, zero);
  sharedAtomicShared<8><<<4, 32>>>(in, out, zero);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
