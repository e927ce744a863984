// Kernels of one block each. A page shows what their threads do (tools/see_test.py).
// prints: 30 4 64 7 5
#include <cstdio>
#include <cuda/barrier>

struct Body {
  float3 place;
  int kind;
  double mass;
};

__global__ void weigh(const Body* bodies, float* masses, int n) {
  const int i = threadIdx.x;
  if (i < n) {
    const Body body = bodies[i];
    masses[i] = static_cast<float>(body.mass) * body.place.x;
  }
}

// Column by column, so that the lanes' words lie in few banks.
__global__ void turn(const int* in, int* out) {
  __shared__ int tile[8][8];
  tile[threadIdx.y][threadIdx.x] = in[8 * threadIdx.y + threadIdx.x];
  __syncthreads();
  out[8 * threadIdx.y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void count(const int* values, int* counts) {
  __shared__ int own[4];
  if (threadIdx.x < 4) own[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&own[values[threadIdx.x] % 4], 1);
  __syncthreads();
  if (threadIdx.x < 4) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

__global__ void exchange(int* sums) {
  int sum = threadIdx.x % 32 == 0 ? 7 : 0;
  sum = __shfl_sync(~0u, sum, 0);
  sums[threadIdx.x] = sum;
}

__global__ void meet(int* values) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int last;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  if (threadIdx.x == 63) last = 5;
  barrier.arrive_and_wait();
  values[threadIdx.x] = last;
}

int main() {
  constexpr int kCount = 64;
  Body hostBodies[6], *bodies;
  for (int i = 0; i < 6; ++i) hostBodies[i] = {{2, 0, 0}, i, 3.0 * i};
  int host[kCount], *d_in, *d_out;
  float *masses, mass = 0;
  for (int i = 0; i < kCount; ++i) host[i] = i;
  cudaMalloc(&bodies, sizeof hostBodies);
  cudaMalloc(&masses, 8 * sizeof(float));
  cudaMalloc(&d_in, sizeof host);
  cudaMalloc(&d_out, sizeof host);
  cudaMemcpy(bodies, hostBodies, sizeof hostBodies, cudaMemcpyHostToDevice);
  cudaMemcpy(d_in, host, sizeof host, cudaMemcpyHostToDevice);
  const auto at = [&](int i) {
    cudaMemcpy(host, d_out, sizeof host, cudaMemcpyDeviceToHost);
    return host[i];
  };

  weigh<<<1, 8>>>(bodies, masses, 6);
  cudaMemcpy(&mass, masses + 5, sizeof mass, cudaMemcpyDeviceToHost);
  turn<<<1, dim3(8, 8)>>>(d_in, d_out);
  const int turned = at(32);
  cudaMemset(d_out, 0, sizeof host);
  count<<<1, kCount>>>(d_in, d_out);
  const int counted = at(0) + at(1) + at(2) + at(3);
  exchange<<<1, kCount>>>(d_out);
  const int exchanged = at(40);
  meet<<<1, kCount>>>(d_out);
  printf("%g %d %d %d %d\n", mass, turned, counted, exchanged, at(0));
  cudaFree(bodies), cudaFree(masses), cudaFree(d_in), cudaFree(d_out);
}
