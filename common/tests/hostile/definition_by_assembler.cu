// Kind: definitions of its own
// Tries: the same in the assembler's words.
// Stopped by: the grader, which looks at the object.
#include "honest.hpp"

asm(".globl mprotect\n.type mprotect,@function\nmprotect: xorl %eax, %eax\nret\n");

void answer(Call call) { honest(call); }
