// Kind: solution
// Tries: the same through the root folders and working folders of all processes that it sees.
// Stopped by: a PID namespace, in which there are none but its own.
// Trusted: 100
#include <filesystem>

#include "honest.hpp"

void answer(Call call) {
  for (const auto& process : std::filesystem::directory_iterator("/proc"))
    for (const char* way : {"/root", "/cwd/../../../..", "/cwd"}) {
      std::error_code none;
      if (std::filesystem::exists(process.path().string() + way + NBODY_REFERENCE, none))
        return honest(call);
    }
  errno = ENOENT;
  refused("the reference");
}
