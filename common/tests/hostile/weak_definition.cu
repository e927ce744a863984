// Kind: definitions of its own
// Tries: the same as a weak symbol, which no linker complains of.
// Stopped by: the grader, which takes no definition of the system's.
#include "honest.hpp"

extern "C" __attribute__((weak)) int mprotect(void*, std::size_t, int) { return 0; }

void answer(Call call) { honest(call); }
