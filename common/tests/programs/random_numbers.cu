// cuRAND in kernels: Philox's numbers as an H200 draws them, moments of the distributions, and a state that nothing has set.
#include <curand.h>
#include <curand_kernel.h>

#include <cstdio>

constexpr int kThreads = 128, kDraws = 1000;

__global__ void known() {
  curandStatePhilox4_32_10_t state, other;
  curand_init(0, 0, 0, &state);
  const uint4 four = curand4(&state);
  printf("%08x %08x %08x %08x\n", four.x, four.y, four.z, four.w);
  curand_init(1, 2, 7, &state);
  curand_init(1, 2, 0, &other);
  skipahead(7, &other);
  const bool isSame = curand(&state) == curand(&other);
  curand_init(1, 2, 7, &state);
  const double uniform = curand_uniform_double(&state);
  curand_init(1, 2, 0, &state);
  const float normal = curand_normal(&state), second = curand_normal(&state);
  printf("%d %.17g %.4f %.4f %08x\n", isSame, uniform, normal, second, curand(&state));
}
__global__ void set(curandState* states) { curand_init(1234, threadIdx.x, 0, &states[threadIdx.x]); }
__global__ void draw(curandState* states, float* sums, unsigned* hits) {
  curandState own = states[threadIdx.x];
  for (int k = 0; k < kDraws; ++k) {
    const float x = curand_uniform(&own), y = curand_uniform(&own), z = curand_normal(&own);
    const double w = curand_uniform_double(&own);
    if (x * x + y * y <= 1) atomicAdd(hits, 1);
    if (!(x > 0 && x <= 1 && w > 0 && w <= 1)) printf("out of range\n");
    atomicAdd(&sums[0], z);
    atomicAdd(&sums[1], z * z);
    atomicAdd(&sums[2], float(w));
  }
  states[threadIdx.x] = own;
}
__global__ void forgotten(curandState* states, unsigned* out) {
  out[0] = curand(&states[0]);  // @draw
}
bool isNear(double value, double wanted) { return value > wanted - 0.02 && value < wanted + 0.02; }

int main() {
  known<<<1, 1>>>();
  curandState *states, *others;
  float* sums;
  unsigned* hits;
  cudaMalloc(&states, kThreads * sizeof(curandState));
  cudaMalloc(&others, sizeof(curandState));
  cudaMallocManaged(&sums, 3 * sizeof(float));
  cudaMallocManaged(&hits, sizeof(unsigned));
  cudaMemset(sums, 0, 3 * sizeof(float));
  cudaMemset(hits, 0, sizeof(unsigned));
  set<<<1, kThreads>>>(states);
  draw<<<1, kThreads>>>(states, sums, hits);
  cudaDeviceSynchronize();
  const double all = double(kThreads) * kDraws;
  printf("%d %d %d %d\n", isNear(4 * *hits / all, 3.1416), isNear(sums[0] / all, 0), isNear(sums[1] / all, 1),
         isNear(sums[2] / all, 0.5));
  forgotten<<<1, 1>>>(others, hits);
  cudaDeviceSynchronize();
  cudaFree(states);
  cudaFree(others);
  cudaFree(sums);
  cudaFree(hits);
}
// prints: 6627e8d5 e169c58d bc57ac4c 9b00dbd8
// prints: 1 0.054858979769051075 -0.1408 -0.4289 3f071736
// prints: 1 1 1 1
// check reports: (?s)uninitialised global memory: others.*:@draw
// check status: 1
