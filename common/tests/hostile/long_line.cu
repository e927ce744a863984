// Kind: long report
// Tries: to keep the grader's patterns busy: a line of 4 million letters on stderr.
// Stopped by: texts that are cut before anything reads them.
#include "honest.hpp"

void answer(Call call) {
  std::fputs(std::string(4000000, 'a').c_str(), stderr);
  std::exit(1);
  honest(call);
}
