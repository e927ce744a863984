// Kind: checker of its own
// Task: 0.1
// Tries: a whole program with a function of its own in the place of one of the checker's.
// Stopped by: the grader, which takes no definition of the executor's.

extern "C" void __tsan_write4(void*) {}

int main() {}
