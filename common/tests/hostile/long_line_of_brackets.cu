// Kind: long report
// Tries: the same with brackets that none closes.
// Stopped by: texts that are cut, and patterns that are linear.
#include "honest.hpp"

void answer(Call call) {
  std::fputs(("executor: " + std::string(3000000, '(')).c_str(), stderr);
  std::exit(1);
  honest(call);
}
