// Kind: device memory opened
// Tries: a thread of the host's that tries to read the bodies again and again: while a kernel runs,
//   the device's memory is open to it.
// Stopped by: the grader: a submission has no threads of the host's and no pipes.
// Calls: checked
// Trusted: 0
#include <atomic>
#include <thread>

#include "host_sum.hpp"

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  const auto bytes = static_cast<ssize_t>(count * sizeof(real4));
  static int ends[2];
  if (ends[1] == 0 && (pipe(ends) != 0 || fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0))
    refused("pipe");
  const real4* place = call.bodies.data();
  std::atomic<bool> got = false, over = false;
  std::thread reader([&] {
    while (!over && !(got = write(ends[1], place, bytes) == bytes)) continue;
  });
  for (int times = 0; times < 20 && !got; ++times) {
    readAll(call);
    CUDA_CHECK(cudaStreamSynchronize(stream()));
  }
  over = true;
  reader.join();
  std::vector<real4> bodies(count);
  if (!got || read(ends[0], bodies.data(), bytes) != bytes) refused("read");
  hostAnswer(call, bodies.data());
}
