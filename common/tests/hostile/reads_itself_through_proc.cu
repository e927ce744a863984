// Kind: device memory opened
// Tries: to read the bodies where they lie through the file that is its own memory, for which no
//   page is closed.
// Stopped by: the grader: a submission has no files.
// Calls: checked
// Trusted: 0
#include "host_sum.hpp"

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  std::vector<real4> bodies(count);
  const int file = open("/proc/self/mem", O_RDONLY);
  const auto place = reinterpret_cast<off_t>(call.bodies.data());
  const auto bytes = static_cast<ssize_t>(count * sizeof(real4));
  if (file < 0 || pread(file, bodies.data(), bytes, place) != bytes) refused("its own memory");
  close(file);
  hostAnswer(call, bodies.data());
}
