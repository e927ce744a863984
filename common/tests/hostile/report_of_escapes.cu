// Kind: terminal
// Tries: to clear the reader's screen and to write its title.
// Stopped by: what is not printable is escaped.
#include "honest.hpp"

void answer(Call call) {
  throw std::runtime_error("\x1b[2J\x1b]0;all is well\x07\x9b1A\r100 of 100 points");
  honest(call);
}
