// Kind: endless compilation
// Tries: warnings without end, which a compiler that stops at the first error prints all.
// Stopped by: a limit of a file's size, or the time of a compilation; its words are cut.
#define NOTE _Pragma("message(\"executor: forces.cu:1: out of bounds\")")
#define TEN(x) x x x x x x x x x x
#define MANY(x) TEN(TEN(TEN(TEN(TEN(TEN(x))))))
MANY(NOTE)
#include "honest.hpp"
void answer(Call call) { honest(call); }
