// Kind: made-up answer
// Tries: to answer from a static constructor, before it is asked, that kernels have read much and
//   that all forces are zero.
// Stopped by: the judge, which compares them with its own forces.
// Most: 6
// Trusted: 0
#include "honest.hpp"

const int early = [] {
  const int file = replyDescriptor();
  static double zeros[2000 * 2 + 1];
  const std::uint64_t bytesRead = 1ull << 40;  // as if kernels had
  std::memcpy(zeros, &bytesRead, sizeof bytesRead);
  static_cast<void>(write(file, zeros, sizeof zeros));
  return 0;
}();

void answer(Call call) { honest(call); }
