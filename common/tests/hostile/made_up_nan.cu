// Kind: made-up answer
// Tries: the same with NaN, which no comparison with a bound finds wrong that is written the
//   wrong way round.
// Stopped by: the judge: NaN is wrong.
// Most: 6
// Trusted: 0
#include "honest.hpp"

const int early = [] {
  const int file = replyDescriptor();
  static double numbers[2000 * 2 + 1];
  std::memset(numbers, 0xff, sizeof numbers);
  const std::uint64_t bytesRead = 1ull << 40;  // as if kernels had
  std::memcpy(numbers, &bytesRead, sizeof bytesRead);
  static_cast<void>(write(file, numbers, sizeof numbers));
  return 0;
}();

void answer(Call call) { honest(call); }
