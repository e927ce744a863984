// Kind: work of the host
// Tries: to take the bodies by a library's copy.
// Stopped by: a library's copies to the host that count as others do.
// Most: 5
// Trusted: 0
#include <thrust/copy.h>
#include <thrust/device_ptr.h>

#include "host_sum.hpp"

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  std::vector<real4> bodies(count);
  const thrust::device_ptr<const real4> first(call.bodies.data());
  thrust::copy(first, first + count, bodies.begin());
  hostAnswer(call, bodies.data());
}
