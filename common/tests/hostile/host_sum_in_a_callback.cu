// Kind: work of the host
// Tries: to read the bodies where they lie in a function of the host's that the stream calls, when
//   kernels may have left the device's memory open.
// Stopped by: memory of the device that is closed while host code runs, whoever calls it.
// Trusted: 0
#include "host_sum.hpp"

struct Task {
  const real4* bodies;
  int count;
  real eps2;
  std::vector<real4> found;
};

static void work(void* data) {
  Task& task = *static_cast<Task*>(data);
  task.found = hostSum(task.bodies, task.count, task.eps2);
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  Task task = {call.bodies.data(), count, call.softeningSquared, {}};
  readAll(call);
  CUDA_CHECK(cudaLaunchHostFunc(stream(), work, &task));
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  bringAnswer(call, task.found);
}
