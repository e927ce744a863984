// Kind: users of the machine
// Tries: to read the list of the machine's users.
// Stopped by: a view in which it is not.
// Trusted: 100
#include "honest.hpp"

void answer(Call call) {
  textOf("/etc/passwd");
  honest(call);
}
