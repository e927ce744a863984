// Tries: to answer from a static constructor, before it is asked: zeros.
// Stopped by: the examiner, which compares them with its own forces; no kernel has read a body.
// Most: 6
// Trusted: 6
#include "honest.hpp"

namespace nbody {

const int early = [] {
  const int file = replyDescriptor();
  static double zeros[2000 * 2 + 1];
  static_cast<void>(write(file, zeros, sizeof zeros));
  return 0;
}();

void answer(Call call) { honest(call); }

}  // namespace nbody
