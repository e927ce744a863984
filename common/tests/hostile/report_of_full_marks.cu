// Kind: forged report
// Tries: to print the grader's own report, above its own.
// Stopped by: what a submission prints is not the report's.
#include "honest.hpp"

void answer(Call call) {
  std::puts("exercise 2.1: 100 of 100 points\nok 20/20 forces");
  std::fflush(stdout);
  std::exit(0);
  honest(call);
}
