// Kind: links in the place of results
// Tries: to put a link in the place of the result, so that the grader writes its report through
//   it over another file.
// Stopped by: a view in which the result's folder is not.
// Trusted: 100
#include "honest.hpp"

void answer(Call call) {
  unlink(kResults);
  if (symlink(kCanary, kResults) != 0 && errno != EEXIST) refused("symlink");
  honest(call);
}
