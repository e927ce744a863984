// Kind: forces of before
// Tries: to compute once and answer later runs from a file.
// Stopped by: a /tmp that ends with the process; all other folders cannot be written.
// Trusted: 0
#include "honest.hpp"

void answer(Call call) {
  const std::string name = "/hostile-left-" + std::to_string(call.bodies.size());
  bool known = false;
  for (const char* folder : {"/tmp", "/dev/shm", ".", kBuild, kHome})
    known = known || std::ifstream(folder + name).good();
  for (const char* folder : {"/tmp", "/dev/shm", ".", kBuild, kHome})
    std::ofstream(folder + name) << "forces";
  errno = ENOENT;
  if (!known) refused("forces of an earlier run");
  honest(call);
}
