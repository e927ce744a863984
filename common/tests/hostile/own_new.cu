// Kind: definitions of its own
// Tries: an operator new of its own, which all of the process calls: the bodies are in the vector
//   that was filled before one of twice its size is made.
// Stopped by: the grader, which takes no operator new where others call it.
// Calls: checked
#include <new>

#include "host_sum.hpp"

constexpr int kSlots = 16;
static char* last[kSlots];
static std::size_t sizes[kSlots];
static unsigned next;
static real4 seen[4096];
static std::size_t seenBytes;

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  for (int k = 0; k < kSlots; ++k)
    if (last[k] != nullptr && bytes == 2 * sizes[k] && sizes[k] >= 16000 &&
        sizes[k] <= sizeof seen && sizes[k] < 65536)
      std::memcpy(seen, last[k], seenBytes = sizes[k]);
  char* found = static_cast<char*>(std::malloc(bytes));
  last[next % kSlots] = found;
  sizes[next++ % kSlots] = bytes;
  return found;
}
[[gnu::noinline]] void operator delete(void* pointer) noexcept {
  for (char*& one : last)
    if (one == pointer) one = nullptr;
  std::free(pointer);
}
[[gnu::noinline]] void operator delete(void* pointer, std::size_t) noexcept {
  operator delete(pointer);
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  if (seenBytes != count * sizeof(real4))
    throw std::runtime_error("seen " + std::to_string(seenBytes));
  readAll(call);
  hostAnswer(call, std::vector<real4>(seen, seen + count).data());
}
