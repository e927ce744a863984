// A build that checks kernels or has no Boost headers has no live view, and says so.
#include "base/bad_input.hpp"
#include "driver/live/guard.hpp"
#include "driver/live/live.hpp"

namespace nbody {

std::optional<int> guardLive(int, char**) { return std::nullopt; }

int runLive(const Program&, const RunOptions&) {
  throw BadInput(
      "--live: this was built to check kernels, or without Boost's headers, by which it serves; "
      "Debian and Ubuntu have them in libboost-dev");
}

}  // namespace nbody
