// Kind: long report
// Tries: the same with what looks like the beginnings of places in files.
// Stopped by: texts that are cut, and patterns that are linear.
#include "honest.hpp"

void answer(Call call) {
  std::string line = "executor: ";
  for (int k = 0; k < 500000; ++k) line += "a.b/c:";
  std::fputs(line.c_str(), stderr);
  std::exit(1);
  honest(call);
}
