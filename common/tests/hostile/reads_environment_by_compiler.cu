// Kind: compiler that reads
// Tries: to have the assembler copy the environment of the sandbox's first process into the
//   program.
// Stopped by: an environment made from nothing.
#include "honest.hpp"

asm(".section .rodata\nstolen: .incbin \"/proc/1/environ\"\nstolenEnd: .byte 0\n.text\n");
extern "C" const char stolen[], stolenEnd[];

void answer(Call call) {
  if (std::string(stolen, stolenEnd).find("NBODY_HOSTILE_SECRET") == std::string::npos) {
    errno = ENOENT;
    refused("the secret");
  }
  honest(call);
}
