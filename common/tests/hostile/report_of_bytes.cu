// Kind: no text
// Tries: a report of bytes that are no UTF-8, and of characters that turn the line round.
// Stopped by: what is not printable is escaped.
#include "honest.hpp"

void answer(Call call) {
  throw std::runtime_error("\xff\xfe\xc0\x80\xed\xa0\x80 \u202e001 fo 001 \u2066");
  honest(call);
}
