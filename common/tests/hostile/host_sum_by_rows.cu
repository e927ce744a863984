// Kind: work of the host
// Tries: to take the bodies by a copy of rows and columns.
// Stopped by: the sum of all copies, of whatever shape.
// Most: 5
// Trusted: 0
#include "host_sum.hpp"

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  readAll(call);
  std::vector<real4> bodies(count);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  CUDA_CHECK(
      cudaMemcpy2D(bodies.data(), 16, call.bodies.data(), 16, 16, count, cudaMemcpyDeviceToHost));
  hostAnswer(call, bodies.data());
}
