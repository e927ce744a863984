// Kind: endless compilation
// Tries: two thousand million bytes by a word to the assembler.
// Stopped by: a limit of a file's size, or the time of a compilation.
#include "honest.hpp"

asm(".section .rodata\n.rept 2000000000\n.byte 1\n.endr\n.text\n");

void answer(Call call) { honest(call); }
