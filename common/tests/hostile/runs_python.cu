// Kind: programs of the system
// Tries: to import the grader and to ask it for points.
// Stopped by: a view in which it is not.
#include "honest.hpp"

void answer(Call call) {
  if (std::system(
          "python3 -c 'import sys; sys.path.insert(0, \"/\"); import common.grader' 2>/dev/null") !=
      0)
    refused("no grader");
  honest(call);
}
