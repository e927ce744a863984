// Kind: linker
// Tries: to have another program start its own: another interpreter in its ELF file.
// Stopped by: the system, which starts no such program, or its own end.
// Most: 100
#include "honest.hpp"

extern "C" const char interpreter[] __attribute__((section(".interp"))) = "/bin/sh";

void answer(Call call) { honest(call); }
