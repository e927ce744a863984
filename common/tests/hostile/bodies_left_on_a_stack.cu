// Kind: bodies elsewhere
// Tries: the same with an array of its own of one thread.
// Stopped by: stacks that are cleared when their threads have ended.
// Most: 5
// Trusted: 0
#include "host_sum.hpp"

__global__ void leaveKernel(const real4* bodies, int count, const real4** place) {
  real4 left[1024];
  for (int j = 0; j < count && j < 1024; ++j) left[j] = bodies[j];
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
