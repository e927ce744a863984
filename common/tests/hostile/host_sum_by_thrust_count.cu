// Kind: gap
// Tries: to take the bodies by a library's count, which calls its condition on the host here.
// Stopped by: nothing yet: of device-wide functions of libraries only copies count as the host's.
// Calls: checked
// Most: 100
#include <thrust/count.h>
#include <thrust/device_ptr.h>

#include "host_sum.hpp"

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  std::vector<real4> bodies;
  const thrust::device_ptr<const real4> first(call.bodies.data());
  thrust::count_if(first, first + count, [&](real4 body) {
    bodies.push_back(body);
    return false;
  });
  hostAnswer(call, bodies.data());
}
