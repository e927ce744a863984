// Kind: definitions of its own
// Tries: write() by way of a function that chooses at the program's start.
// Stopped by: the grader, which takes no definition of the system's.
#include "honest.hpp"

static ssize_t zeros(int, const void*, std::size_t bytes) { return static_cast<ssize_t>(bytes); }

extern "C" {
using Write = ssize_t(int, const void*, std::size_t);
static Write* chosen() { return zeros; }
Write write __attribute__((ifunc("_ZL6chosenv")));
}

void answer(Call call) { honest(call); }
