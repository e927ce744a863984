// Kind: kernel that tells the host
// Tries: a kernel that throws a body at the host, launch by launch.
// Stopped by: the checker: no array of the device's is there.
#include "host_sum.hpp"

__global__ void throwKernel(const real4* bodies, int i) { throw bodies[i]; }

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  std::vector<real4> bodies;
  for (int i = 0; i < count; ++i) try {
      throwKernel<<<1, 1, 0, stream()>>>(call.bodies.data(), i);
      CUDA_CHECK(cudaStreamSynchronize(stream()));
    } catch (const real4& body) {
      bodies.push_back(body);
    }
  if (static_cast<int>(bodies.size()) != count) throw std::runtime_error("nothing caught");
  readAll(call);
  hostAnswer(call, bodies.data());
}
