// Kind: commands in a report
// Tries: commands of GitHub's in what the report says.
// Stopped by: lines in which none is looked for.
#include "honest.hpp"

void answer(Call call) {
  throw std::runtime_error(
      "x\n::set-output name=score::100\n::stop-commands::x\n##[error]y\n::add-mask::1");
  honest(call);
}
