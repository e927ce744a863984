// Kind: programs of the system
// Tries: to have the system's programs look for the solution.
// Stopped by: a view in which it is not.
#include "honest.hpp"

void answer(Call call) {
  if (std::system("grep -rl forcesKernel / >/dev/null 2>&1 --include=forces.cu --exclude-dir=proc "
                  "--exclude-dir=tmp") != 0)
    refused("no solution");
  honest(call);
}
