// Kind: compiler that reads
// Tries: to have the assembler copy the object of the step's own forces.cu out of the build
//   tree, to be searched while it runs.
// Stopped by: the compiler's view, in which it is not.
// Trusted: 100
#include "honest.hpp"

asm(".section .rodata\nstolen: .incbin \"" NBODY_REFERENCE_OBJECT "\"\n.text\n");

void answer(Call call) { honest(call); }
