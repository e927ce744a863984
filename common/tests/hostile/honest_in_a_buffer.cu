// Kind: correct but unusual
// Tries: nothing: its forces are computed elsewhere, and brought to their place by a copy on the
//   device.
// Stopped by: nothing: it is correct.
// Least: 100
#include "honest.hpp"

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  DeviceArray<real4> mine(count, "mine");
  honestKernel<<<blocksFor(count, 256), 256, 0, stream()>>>(
      call.bodies.data(), count, call.softeningSquared, mine.data());
  CUDA_CHECK(cudaMemcpyAsync(call.accelerations.data(),
                             mine.data(),
                             count * sizeof(real4),
                             cudaMemcpyDeviceToDevice,
                             stream()));
  CUDA_CHECK(cudaStreamSynchronize(stream()));
}
