// Kind: device memory opened
// Tries: to open the device's memory by a call for keys of pages, which no wrapper knows.
// Stopped by: the grader, which looks at what the object calls.
// Calls: checked
// Trusted: 0
#include <sys/mman.h>
#include <sys/syscall.h>

#include "host_sum.hpp"

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  const auto first = reinterpret_cast<std::uintptr_t>(call.bodies.data()) & ~std::uintptr_t{4095};
  const auto end = reinterpret_cast<std::uintptr_t>(call.bodies.data() + count);
  if (syscall(
          SYS_pkey_mprotect, first, (end - first + 4095) & ~std::uintptr_t{4095}, PROT_READ, -1))
    refused("pkey_mprotect");
  hostAnswer(call, call.bodies.data());
}
