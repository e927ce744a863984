// Tries: to abort.
// Stopped by: its own end.
// Most: 0
// Trusted: 0
#include "honest.hpp"

namespace nbody {

void answer(Call call) {
  std::abort();
  honest(call);
}

}  // namespace nbody
