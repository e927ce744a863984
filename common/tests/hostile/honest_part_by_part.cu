// Kind: correct but unusual
// Tries: nothing: a launch for every 100 bodies.
// Stopped by: nothing: it is correct.
// Least: 100
#include "honest.hpp"

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  honest(call);
  for (int k = 0; k < 3; ++k) honest(call);
  if (count < 1) refused("bodies");
}
