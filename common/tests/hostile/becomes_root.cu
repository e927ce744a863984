// Kind: rights
// Tries: to become root.
// Stopped by: no capabilities, and no program that gives them.
#include "honest.hpp"

void answer(Call call) {
  if (setuid(0) != 0 || setgid(0) != 0) refused("setuid");
  if (geteuid() == 0) honest(call);
}
