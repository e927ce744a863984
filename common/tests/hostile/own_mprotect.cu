// Kind: definitions of its own
// Tries: mprotect() of its own, so that the device's memory stays open to the host.
// Stopped by: the grader, which takes no definition of the system's.
#include "honest.hpp"

extern "C" int mprotect(void*, std::size_t, int) { return 0; }

void answer(Call call) { honest(call); }
