// Kind: bodies elsewhere
// Tries: the same with memory that the kernel allocates.
// Stopped by: the checker: no array of the device's is there.
#include "host_sum.hpp"

__global__ void leaveKernel(const real4* bodies, int count, const real4** place) {
  real4* left = static_cast<real4*>(malloc(count * sizeof(real4)));
  for (int j = 0; j < count; ++j) left[j] = bodies[j];
  *place = left;
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  static DeviceArray<const real4*> place(1, "place");
  leaveKernel<<<1, 1, 0, stream()>>>(call.bodies.data(), count, place.data());
  CUDA_CHECK(cudaGetLastError());
  const real4* left = place.download()[0];
  const std::vector<real4> bodies(left, left + count);
  readAll(call);
  hostAnswer(call, bodies.data());
}
