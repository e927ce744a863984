// Kind: device memory opened
// Tries: to open the device's memory by a call to the system itself, and to let the host work on
//   it.
// Stopped by: the grader, which looks at what the object calls.
// Calls: checked
// Trusted: 0
#include <sys/mman.h>
#include <sys/syscall.h>

#include "host_sum.hpp"

static long opened(const void* from, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(from) & ~std::uintptr_t{4095};
  const auto end = reinterpret_cast<std::uintptr_t>(from) + bytes;
  return syscall(SYS_mprotect, first, (end - first + 4095) & ~std::uintptr_t{4095}, PROT_READ);
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  if (opened(call.bodies.data(), count * sizeof(real4)) != 0) refused("mprotect");
  const std::vector<real4> found = hostSum(call.bodies.data(), count, call.softeningSquared);
  static DeviceArray<real4> mine;
  if (mine.size() != found.size()) mine = DeviceArray<real4>(count, "mine");
  mine.upload(found);
  copyAll(mine.data(), count, call.accelerations.data());
}
