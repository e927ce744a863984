// Kind: device memory opened
// Tries: the same by an instruction of its own, with no function of the system's at all.
// Stopped by: the translator: a submission has no assembly of the host's.
// Calls: checked
// Trusted: 0
#include "host_sum.hpp"

static long opened(const void* from, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(from) & ~std::uintptr_t{4095};
  const auto end = (reinterpret_cast<std::uintptr_t>(from) + bytes + 4095) & ~std::uintptr_t{4095};
  long result = 10;  // mprotect
  asm volatile("syscall"
               : "+a"(result)
               : "D"(first), "S"(end - first), "d"(1L)
               : "rcx", "r11", "memory");
  return result;
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  readAll(call);
  CUDA_CHECK(cudaStreamSynchronize(stream()));
  if (opened(call.bodies.data(), count * sizeof(real4)) != 0) refused("mprotect");
  hostAnswer(call, call.bodies.data());
}
