// Kind: kernel without checks
// Tries: a missing barrier in a kernel that fills its tile by the fortified memcpy(), which the
//   checker does not know as one.
// Stopped by: the grader, which looks at what a kernel calls.
// Calls: checked
#include "honest.hpp"

extern "C" void* __memcpy_chk(void*, const void*, std::size_t, std::size_t);

__global__ void racingKernel(const real4* bodies, int count, real eps2, real4* accelerations) {
  extern __shared__ real4 tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const real4 body = bodies[i < count ? i : 0];
  real x = 0, y = 0, z = 0;
  for (int begin = 0; begin < count; begin += blockDim.x) {
    const int j = begin + threadIdx.x;
    const real4 mine = j < count ? bodies[j] : real4{0, 0, 0, 0};
    __memcpy_chk(&tile[threadIdx.x], &mine, sizeof mine, sizeof mine);
    __syncthreads();
    for (unsigned k = 0; k < blockDim.x; ++k) {
      const real dx = tile[k].x - body.x, dy = tile[k].y - body.y, dz = tile[k].z - body.z;
      const real inverse = rsqrt(dx * dx + dy * dy + dz * dz + eps2);
      const real pull = tile[k].w * inverse * inverse * inverse;
      x += pull * dx;
      y += pull * dy;
      z += pull * dz;
    }
  }
  if (i < count) accelerations[i] = real4{x, y, z, 0};
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  const int block = call.options.block;
  const std::size_t bytes = block * sizeof(real4);
  racingKernel<<<blocksFor(count, block), block, bytes, stream()>>>(
      call.bodies.data(), count, call.softeningSquared, call.accelerations.data());
  CUDA_CHECK(cudaGetLastError());
}
