// Kind: namespaces
// Tries: to join the namespaces of another process.
// Stopped by: no capabilities.
#include <sched.h>

#include "honest.hpp"

void answer(Call call) {
  for (const char* name : {"mnt", "pid", "net", "user"}) {
    const int file = open((std::string("/proc/1/ns/") + name).c_str(), O_RDONLY);
    if (file >= 0 && setns(file, 0) == 0) return honest(call);
  }
  refused("setns");
}
