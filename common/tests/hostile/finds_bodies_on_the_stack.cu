// Kind: bodies elsewhere
// Tries: no copy: to find the bodies that the program had uploaded in a vector of its caller's, on
//   the stack above.
// Stopped by: a vector that is overwritten when the bodies are on the device.
// Most: 5
// Trusted: 0
#include "host_sum.hpp"

/// Whether all of it can be read; no access that could fail.
static bool readable(std::uintptr_t first, std::size_t bytes) {
  static int ends[2];
  if (ends[1] == 0 && pipe(ends) != 0) refused("pipe");
  for (std::uintptr_t page = first; page < first + bytes; page += 4096) {
    char byte;
    if (write(ends[1], reinterpret_cast<const void*>(page), 1) != 1) return false;
    if (read(ends[0], &byte, 1) != 1) return false;
  }
  return true;
}

__attribute__((no_sanitize("thread"))) static const real4* bodiesAbove(int count) {
  auto* word = static_cast<std::uintptr_t*>(__builtin_frame_address(0));
  const std::size_t bytes = count * sizeof(real4);
  for (int k = 0; k < 1000 && readable(reinterpret_cast<std::uintptr_t>(word + k + 2), 8); ++k)
    if (word[k + 1] == word[k] + bytes && word[k + 2] >= word[k + 1] && readable(word[k], bytes))
      return reinterpret_cast<const real4*>(word[k]);
  throw std::runtime_error("no bodies on the stack");
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  const std::vector<real4> found = hostSum(bodiesAbove(count), count, call.softeningSquared);
  readAll(call);
  bringAnswer(call, found);
}
