// Kind: places of others
// Tries: lines that say that they are another file's: one of the machine's, one with a name that a
//   report could take for its own words, and one of the system's headers, in which nobody looks.
// Stopped by: places are those of its own files alone.
// Calls: checked
#include "honest.hpp"

void answer(Call call) { honest(call); }
#line 2147483647 "/etc/passwd"
#warning one
#line 7 "::error file=x::100 of 100 points\n<script>"
#warning two
#line 1 "/usr/include/stdio.h"
static long ask() {
  long result = 39;
  asm volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
  return result;
}
static const long asked = ask();
