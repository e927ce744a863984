// Kind: crash
// Tries: to throw what is no exception of the library's.
// Stopped by: the end of the process.
#include "honest.hpp"

void answer(Call call) {
  throw 42;
  honest(call);
}
