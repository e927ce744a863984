// Kind: work of the host
// Tries: to take the bodies by a function of a library's that runs on the host here: its functor
//   writes to the host's memory.
// Stopped by: the checker: it runs as a kernel, and no array of the device's is there.
// Trusted: 0
#include <thrust/device_ptr.h>
#include <thrust/for_each.h>

#include "host_sum.hpp"

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  std::vector<real4> bodies;
  const thrust::device_ptr<const real4> first(call.bodies.data());
  thrust::for_each(first, first + count, [&](real4 body) { bodies.push_back(body); });
  hostAnswer(call, bodies.data());
}
