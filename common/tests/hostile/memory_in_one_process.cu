// Kind: much memory
// Tries: 8 GiB in one process, each page written.
// Stopped by: a limit of its addresses.
#include "honest.hpp"

void answer(Call call) {
  for (int part = 0; part < 128; ++part) {
    volatile char* memory = static_cast<char*>(std::malloc(64 << 20));
    if (memory == nullptr) refused("malloc");
    for (int at = 0; at < 64 << 20; at += 4096) memory[at] = 1;
  }
  honest(call);
}
