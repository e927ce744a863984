// Kind: much memory
// Tries: 8 GiB in 24 processes, each of which keeps below a process's limit.
// Stopped by: the grader's look at all processes together.
#include "honest.hpp"

void answer(Call call) {
  for (int child = 0; child < 24; ++child) {
    const pid_t id = fork();
    if (id < 0) refused("fork");
    if (id > 0) continue;
    const int bytes = 340 << 20;
    volatile char* memory = static_cast<char*>(std::malloc(bytes));
    for (int at = 0; memory != nullptr && at < bytes; at += 4096) memory[at] = 1;
    for (;;) pause();
  }
  sleep(1);
  honest(call);
}
