// Patterns of access: Nsight Compute counted each kernel's memory requests on an H100 (h100.csv).
#include <cstdio>

struct Three {
  float x, y, z;
};

__device__ int ownIndex() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void copyRow(const float* in, float* out) { out[ownIndex()] = in[ownIndex()]; }
__global__ void copyShifted(const float* in, float* out) { out[ownIndex()] = in[ownIndex() + 1]; }
__global__ void copyStride2(const float* in, float* out) { out[ownIndex()] = in[2 * ownIndex()]; }
__global__ void copyStride33(const float* in, float* out, int n) { out[ownIndex()] = in[33 * ownIndex() % (2 * n)]; }
__global__ void copy2(const float2* in, float2* out) { out[ownIndex()] = in[ownIndex()]; }
__global__ void copy3(const Three* in, Three* out) { out[ownIndex()] = in[ownIndex()]; }
__global__ void copy4(const float4* in, float4* out) { out[ownIndex()] = in[ownIndex()]; }
__global__ void oddLanes(const float* in, float* out) {
  if (ownIndex() % 2 == 1) out[ownIndex()] = in[ownIndex()];
}
__global__ void broadcast(const float* in, float* out) { out[ownIndex()] = in[blockIdx.x]; }

__global__ void transposeNaive(const float* in, float* out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}

template <int kPadding>
__global__ void transposeTile(const float* in, float* out, int n) {
  __shared__ float tile[32][32 + kPadding];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.x;
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.y + k][threadIdx.x] = in[(blockIdx.y * 32 + threadIdx.y + k) * n + x];
  __syncthreads();
  for (int k = 0; k < 32; k += 8)
    out[(blockIdx.x * 32 + threadIdx.y + k) * n + y] = tile[threadIdx.x][threadIdx.y + k];
}

/// Lanes load elements of shared memory that are \p kStride apart.
template <class T, int kStride>
__global__ void sharedStride(float* out) {
  __shared__ T tile[32 * 16];
  for (int i = threadIdx.x; i < 32 * 16; i += 32) tile[i] = T{};
  __syncthreads();
  const T loaded = tile[threadIdx.x * kStride % (32 * 16)];
  const float* const numbers = reinterpret_cast<const float*>(&loaded);
  float sum = 0;
  for (unsigned k = 0; k < sizeof(T) / sizeof(float); ++k) sum += numbers[k];
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}

__global__ void atomicSame(const float* in, float* out) { atomicAdd(&out[0], in[ownIndex()]); }
__global__ void atomicEach(const float* in, float* out) { atomicAdd(&out[ownIndex()], in[ownIndex()]); }

int main() {
  const int n = 1024 * 256, blocks = 64, bytes = 4 << 20;
  float *in, *out;
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  cudaMemset(in, 0, bytes);
  cudaMemset(out, 0, bytes);
  copyRow<<<blocks, 256>>>(in, out);
  copyShifted<<<blocks, 256>>>(in, out);
  copyStride2<<<blocks, 256>>>(in, out);
  copyStride33<<<blocks, 256>>>(in, out, n);
  copy2<<<blocks, 256>>>(reinterpret_cast<float2*>(in), reinterpret_cast<float2*>(out));
  copy3<<<blocks, 256>>>(reinterpret_cast<Three*>(in), reinterpret_cast<Three*>(out));
  copy4<<<blocks, 256>>>(reinterpret_cast<float4*>(in), reinterpret_cast<float4*>(out));
  oddLanes<<<blocks, 256>>>(in, out);
  broadcast<<<blocks, 256>>>(in, out);
  transposeNaive<<<dim3(4, 16), dim3(32, 8)>>>(in, out, 128);
  transposeTile<0><<<dim3(4, 4), dim3(32, 8)>>>(in, out, 128);
  transposeTile<1><<<dim3(4, 4), dim3(32, 8)>>>(in, out, 128);
  sharedStride<float, 0><<<4, 32>>>(out);
  sharedStride<float, 1><<<4, 32>>>(out);
  sharedStride<float, 2><<<4, 32>>>(out);
  sharedStride<float, 8><<<4, 32>>>(out);
  sharedStride<float2, 0><<<4, 32>>>(out);
  sharedStride<float2, 1><<<4, 32>>>(out);
  sharedStride<float2, 2><<<4, 32>>>(out);
  sharedStride<float4, 0><<<4, 32>>>(out);
  sharedStride<float4, 1><<<4, 32>>>(out);
  sharedStride<float4, 2><<<4, 32>>>(out);
  sharedStride<float4, 3><<<4, 32>>>(out);
  atomicSame<<<blocks, 256>>>(in, out);
  atomicEach<<<blocks, 256>>>(in, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
