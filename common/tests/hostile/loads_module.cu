// Kind: kernel
// Tries: to load a module into the system's kernel.
// Stopped by: no capabilities.
#include <sys/syscall.h>

#include "honest.hpp"

void answer(Call call) {
  if (syscall(SYS_init_module, "", 0, "") != 0) refused("init_module");
  honest(call);
}
