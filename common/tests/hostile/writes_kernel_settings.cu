// Kind: kernel
// Tries: to have the kernel call a program of its own: core_pattern, and the trigger of SysRq.
// Stopped by: settings that are not its own to write.
#include "honest.hpp"

void answer(Call call) {
  for (const char* name :
       {"/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/self/oom_score_adj"})
    if (std::string(name).find("oom") == std::string::npos && open(name, O_WRONLY) >= 0)
      return honest(call);
  refused("settings");
}
