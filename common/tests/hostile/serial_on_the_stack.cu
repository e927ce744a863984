// Kind: serial loop
// Tries: one thread that reads each body once, into an array of its own that the checker does not
//   watch, so that no count of its reads stands out.
// Stopped by: the clock counts time, not reads.
// Most: 40
#include "serial.hpp"

__global__ void serialKernel(const real4* bodies, int count, real eps2, real4* accelerations) {
  real4 mine[512];
  for (int begin = 0; begin < count; begin += 512) {
    const int here = min(512, count - begin);
    for (int k = 0; k < here; ++k) mine[k] = bodies[begin + k];
    for (int i = 0; i < count; ++i) {
      const real4 body = bodies[i];
      real4 sum = begin == 0 ? real4{0, 0, 0, 0} : accelerations[i];
      for (int k = 0; k < here; ++k) {
        const real dx = mine[k].x - body.x, dy = mine[k].y - body.y, dz = mine[k].z - body.z;
        const real inverse = rsqrt(dx * dx + dy * dy + dz * dz + eps2);
        const real pull = mine[k].w * inverse * inverse * inverse;
        sum.x += pull * dx;
        sum.y += pull * dy;
        sum.z += pull * dz;
      }
      accelerations[i] = sum;
    }
  }
}

void answer(Call call) {
  serialKernel<<<1, 1, 0, stream()>>>(call.bodies.data(),
                                      static_cast<int>(call.bodies.size()),
                                      call.softeningSquared,
                                      call.accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}
