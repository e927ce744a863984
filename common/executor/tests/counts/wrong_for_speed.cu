// Correct kernels that are slow, next to faster ones. The counts must give advice for each line with
// "advice:", in the words that follow there, and for no other line.
#include <cstdio>

constexpr int kSide = 64, kCount = kSide * kSide, kThreads = 128, kBlocks = kCount / kThreads;

struct Body {
  float x, y, z, mass, vx, vy, vz, spare;
};

__device__ int own() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void byColumns(const float* in, float* out) {
  const int i = own() % kSide * kSide + own() / kSide;
  out[i] = 2 * in[i];  // advice: neighbouring lanes are 256 bytes apart
}
__global__ void byRows(const float* in, float* out) { out[own()] = 2 * in[own()]; }

__global__ void massesOfStructs(const Body* bodies, float* out) {
  out[own()] = bodies[own()].mass;  // advice: as with structs: arrays of numbers
}

template <int kPadding>
__global__ void transpose(const float* in, float* out) {
  __shared__ float tile[32][32 + kPadding];
  const int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[row * kSide + column];
  __syncthreads();
  const int newRow = blockIdx.x * 32 + threadIdx.y, newColumn = blockIdx.y * 32 + threadIdx.x;
  out[newRow * kSide + newColumn] = tile[threadIdx.x][threadIdx.y];  // advice: lanes meet in a bank
}
__global__ void transposeWithoutTile(const float* in, float* out) {
  const int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  const float value = in[row * kSide + column];
  out[column * kSide + row] = value;  // advice: neighbouring lanes are 256 bytes apart
}

__global__ void unequalLoops(const float* in, float* out) {
  float sum = 0;
  for (int k = 0; k < own() % 32; ++k)  // advice: let all lanes of a warp take the same way
    sum += in[k];
  out[own()] = sum;
}
__global__ void equalLoops(const float* in, float* out) {
  float sum = 0;
  for (int k = 0; k < own() / 32; ++k) sum += in[k];
  out[own()] = sum;
}
__global__ void evenAndOdd(const float* in, float* out) {
  float sum = 0;
  for (int k = 0; k < 8; ++k)
    if ((own() + k) % 2 == 0)  // advice: let all lanes of a warp take the same way
      sum += in[k];
    else sum -= in[own()];
  out[own()] = sum;
}

__global__ void oneSum(const float* in, float* out) {
  atomicAdd(out, in[own()]);  // advice: add up within the warp or the block first
}
__global__ void countOfBlock(const float* in, float* out) {
  __shared__ int counters[32];
  if (threadIdx.x < 32) counters[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&counters[own() % 4], in[own()] > 0);  // advice: give each thread or each warp its own
  __syncthreads();
  if (threadIdx.x < 32) out[blockIdx.x * 32 + threadIdx.x] = counters[threadIdx.x];
}
__global__ void sumOfWarps(const float* in, float* out) {
  float sum = in[own()];
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_xor_sync(~0u, sum, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

int main() {
  float *in, *out;
  const int bytes = kCount * sizeof(Body);
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemset(in, 0, bytes);
  cudaMemset(out, 0, bytes);
  byColumns<<<kBlocks, kThreads>>>(in, out);
  byRows<<<kBlocks, kThreads>>>(in, out);
  massesOfStructs<<<kBlocks, kThreads>>>(reinterpret_cast<Body*>(in), out);
  transpose<0><<<dim3(2, 2), dim3(32, 32)>>>(in, out);
  transpose<1><<<dim3(2, 2), dim3(32, 32)>>>(in, out);
  transposeWithoutTile<<<dim3(2, 2), dim3(32, 32)>>>(in, out);
  unequalLoops<<<kBlocks, kThreads>>>(in, out);
  equalLoops<<<kBlocks, kThreads>>>(in, out);
  evenAndOdd<<<kBlocks, kThreads>>>(in, out);
  oneSum<<<kBlocks, kThreads>>>(in, out);
  countOfBlock<<<kBlocks, kThreads>>>(in, out);
  sumOfWarps<<<kBlocks, kThreads>>>(in, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
