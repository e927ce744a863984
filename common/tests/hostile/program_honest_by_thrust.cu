// Kind: correct but unusual
// Task: 0.1
// Tries: nothing: its memory and its copies are a library's.
// Stopped by: nothing: it is correct.
// Least: 100
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <cstdio>
#include <cstdlib>
#include <random>

__global__ void forcesKernel(const float4* bodies, int count, float4* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float4 sum = {0, 0, 0, 0};
  for (int j = 0; j < count; ++j) {
    const float x = bodies[j].x - bodies[i].x, y = bodies[j].y - bodies[i].y,
                z = bodies[j].z - bodies[i].z;
    const float inverse = rsqrtf(x * x + y * y + z * z + 1e-4f);
    const float pull = bodies[j].w * inverse * inverse * inverse;
    sum = {sum.x + pull * x, sum.y + pull * y, sum.z + pull * z, 0};
  }
  accelerations[i] = sum;
}

int main(int, char** argv) {
  const int count = std::atoi(argv[1]);
  std::mt19937 random(std::atoi(argv[2]));
  const auto draw = [&] { return static_cast<float>(random() >> 8) * 0x1p-24f; };
  thrust::host_vector<float4> drawn(count);
  for (float4& body : drawn) {
    body.x = draw();
    body.y = draw();
    body.z = draw();
    body.w = draw();
  }
  const thrust::device_vector<float4> bodies = drawn;
  thrust::device_vector<float4> accelerations(count);
  forcesKernel<<<(count + 127) / 128, 128>>>(thrust::raw_pointer_cast(bodies.data()),
                                             count,
                                             thrust::raw_pointer_cast(accelerations.data()));
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;
  const thrust::host_vector<float4> found = accelerations;
  for (const float4& a : found) std::printf("a = %.9g %.9g %.9g\n", a.x, a.y, a.z);
}
