// Kind: flood of output
// Task: 0.1
// Tries: accelerations without end.
// Stopped by: a limit of a file's size.
#include <cstdio>

int main() {
  for (;;) std::puts("a = 1 2 3");
}
