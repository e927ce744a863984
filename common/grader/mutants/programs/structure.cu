// A structure with pointers: its arrays are on the device, and so is the structure itself.
#include <vector>

#include "check.cuh"

struct Bodies {
  float* x;
  float* mass;
  int count;
};

__global__ void centreKernel(const Bodies* bodies, float* centre) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < bodies->count) atomicAdd(centre, bodies->x[i] * bodies->mass[i]);
}

float* onDevice(const std::vector<float>& values) {
  float* copy;
  CHECK(cudaMalloc(&copy, values.size() * sizeof(float)));
  CHECK(cudaMemcpy(copy, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice));
  return copy;
}

int main() {
  const std::vector<float> x(100, 3), mass(100, 0.5f);
  const Bodies bodies = {onDevice(x), onDevice(mass), 100};
  Bodies* device;
  CHECK(cudaMalloc(&device, sizeof bodies));
  CHECK(cudaMemcpy(device, &bodies, sizeof bodies, cudaMemcpyHostToDevice));
  float* centre = onDevice({0});
  centreKernel<<<2, 64>>>(device, centre);
  CHECK(cudaGetLastError());
  float found;
  CHECK(cudaMemcpy(&found, centre, sizeof found, cudaMemcpyDeviceToHost));
  for (float* array : {bodies.x, bodies.mass, centre}) CHECK(cudaFree(array));
  CHECK(cudaFree(device));
  return verdictOf(found, 150);
}
