// Kind: checker of its own
// Tries: to switch the protection of the device's memory off, by the runtime's own setting, and to
//   let the host read.
// Stopped by: names of the executor's that a submission may not have; memory that stays where it was.
// Calls: checked
// Trusted: 0
#include "executor/runtime/settings.hpp"
#include "host_sum.hpp"

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  nbody::executor::runtimeSettings().protect = false;
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  hostAnswer(call, call.bodies.data());
}
