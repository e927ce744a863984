// Kind: correct but unusual
// Tries: nothing: its bodies are put into arrays of x, y, z and mass by a kernel of their own.
// Stopped by: nothing: it is correct.
// Least: 100
#include "honest.hpp"

__global__ void splitKernel(const real4* bodies, int count, real* x, real* y, real* z, real* m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  x[i] = bodies[i].x;
  y[i] = bodies[i].y;
  z[i] = bodies[i].z;
  m[i] = bodies[i].w;
}

__global__ void sumKernel(const real* x,
                          const real* y,
                          const real* z,
                          const real* m,
                          int count,
                          real eps2,
                          real4* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  real a = 0, b = 0, c = 0;
  for (int j = 0; j < count; ++j) {
    const real dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
    const real inverse = rsqrt(dx * dx + dy * dy + dz * dz + eps2);
    const real pull = m[j] * inverse * inverse * inverse;
    a += pull * dx;
    b += pull * dy;
    c += pull * dz;
  }
  accelerations[i] = {a, b, c, 0};
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  DeviceArray<real> x(count, "x"), y(count, "y"), z(count, "z"), m(count, "m");
  splitKernel<<<blocksFor(count, 64), 64, 0, stream()>>>(
      call.bodies.data(), count, x.data(), y.data(), z.data(), m.data());
  sumKernel<<<blocksFor(count, 64), 64, 0, stream()>>>(x.data(),
                                                       y.data(),
                                                       z.data(),
                                                       m.data(),
                                                       count,
                                                       call.softeningSquared,
                                                       call.accelerations.data());
  CUDA_CHECK(cudaStreamSynchronize(stream()));
}
