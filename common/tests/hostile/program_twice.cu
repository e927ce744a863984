// Kind: made-up answer
// Task: 0.1
// Tries: to print a second set of accelerations, of which any may be right.
// Stopped by: their number, which is that of the bodies or none is looked at.
#include <cstdio>
#include <cstdlib>

int main(int, char** argv) {
  for (int i = 0; i < 2 * std::atoi(argv[1]); ++i) std::puts("a = nan 0 inf");
}
