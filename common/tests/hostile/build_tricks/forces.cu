// Kind: files of a build
// Tries: to have the build run what lies beside the kernel: CMake's files, a Makefile, Python's.
// Stopped by: the grader takes sources alone, and calls the compiler itself. Its forces are right.
// Most: 100
// Trusted: 100
#include "honest.hpp"

void answer(Call call) { honest(call); }
