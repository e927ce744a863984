// Kind: kernel that tells the host
// Tries: a kernel that sends the bodies to the host by a call of the system's.
// Stopped by: the grader, which looks at what the object calls.
// Calls: checked
#include "host_sum.hpp"

static int ends[2];

__global__ void sendKernel(const real4* bodies, int count) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    static_cast<void>(write(ends[1], bodies, count * sizeof(real4)));
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  if (ends[1] == 0 && (pipe(ends) != 0 || fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0))
    refused("pipe");
  sendKernel<<<1, 32, 0, stream()>>>(call.bodies.data(), count);
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  std::vector<real4> bodies(count);
  if (read(ends[0], bodies.data(), count * sizeof(real4)) < 0) refused("read");
  static DeviceArray<real4> mine;
  if (mine.size() != bodies.size()) mine = DeviceArray<real4>(count, "mine");
  mine.upload(hostSum(bodies.data(), count, call.softeningSquared));
  copyAll(mine.data(), count, call.accelerations.data());
}
