// Kind: checker of its own
// Tries: to tell the checker that the host may read as much as it likes, by a declaration of its own,
//   and to let the host work.
// Stopped by: the grader, which looks at what the object calls.
// Calls: checked
// Trusted: 0
#include "host_sum.hpp"

namespace nbody::executor::checker {
void allowHostToRead(std::size_t bytes);
}

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  readAll(call);
  nbody::executor::checker::allowHostToRead(~std::size_t{0});
  hostAnswer(call, call.bodies.download().data());
}
