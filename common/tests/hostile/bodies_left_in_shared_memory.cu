// Kind: bodies elsewhere
// Tries: a kernel that leaves the bodies in its shared memory and says where that is, eight bytes;
//   the host reads them there when it has ended.
// Stopped by: shared memory that is overwritten when a launch has ended.
// Most: 5
// Trusted: 0
#include "host_sum.hpp"

__global__ void leaveKernel(const real4* bodies, int count, const real4** place) {
  __shared__ real4 left[2048];
  for (int j = threadIdx.x; j < count && j < 2048; j += blockDim.x) left[j] = bodies[j];
  if (threadIdx.x == 0) *place = left;
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  static DeviceArray<const real4*> place(1, "place");
  leaveKernel<<<1, 256, 0, stream()>>>(call.bodies.data(), count, place.data());
  CUDA_CHECK(cudaGetLastError());
  const std::vector<real4> bodies = [&] {
    const real4* left = place.download()[0];
    return std::vector<real4>(left, left + count);
  }();
  readAll(call);
  hostAnswer(call, bodies.data());
}
