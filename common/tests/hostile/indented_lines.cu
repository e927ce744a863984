// Kind: long report
// Tries: a report of 50 MB: lines that belong to what is wrong, to be repeated with every test.
// Stopped by: a number of lines that a diagnosis has, and the length of a result.
#include "honest.hpp"

void answer(Call call) {
  std::fputs("executor: race\n", stderr);
  for (int k = 0; k < 300000; ++k) std::fputs("  at line\n", stderr);
  std::exit(1);
  honest(call);
}
