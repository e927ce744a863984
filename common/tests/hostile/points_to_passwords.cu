// Kind: places of others
// Tries: a report at a line of a file of the machine's, to learn whether that file is there.
// Stopped by: places are those of its own files alone.
#include "honest.hpp"

void answer(Call call) {
  throw std::runtime_error("executor: race at /etc/passwd:1");
  honest(call);
}
