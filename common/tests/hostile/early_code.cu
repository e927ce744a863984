// Kind: linker
// Tries: code that runs before all other: in the section of what is called first.
// Stopped by: the judge, which has no forces then.
#include "honest.hpp"

static void early() { _exit(0); }

__attribute__((section(".preinit_array"), used)) static void (*first)() = early;

void answer(Call call) { honest(call); }
