// Kind: many processes
// Task: 0.1
// Tries: processes that make processes, in a whole program.
// Stopped by: a limit of their number; the grader's look at it.
#include <unistd.h>

int main() {
  for (;;) fork();
}
