// Kind: formula
// Tries: a cell that a spreadsheet computes in the class's table.
// Stopped by: cells that begin with a quote.
#include "honest.hpp"

void answer(Call call) {
  throw std::runtime_error("\uff1d1+1+cmd|' /C calc'!A0");
  honest(call);
}
