// Kind: definitions of its own
// Tries: a main() of its own, which says that all is well.
// Stopped by: the linker.
// Trusted: 0
#include "honest.hpp"

void answer(Call call) { honest(call); }

int main() { std::puts("All tests passed"); }
