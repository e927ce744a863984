// Kind: memory of no process
// Tries: to leave shared memory and a queue of messages by their names.
// Stopped by: folders of devices that are its own. Its forces are right.
// Most: 100
#include <sys/mman.h>
#include <sys/syscall.h>

#include "honest.hpp"

void answer(Call call) {
  for (const char* place : {"/dev/shm/hostile-left",
                            "/dev/mqueue/hostile-left",
                            "/run/hostile-left",
                            "/run/shm/hostile-left",
                            "/var/lock/hostile-left"}) {
    const int file = open(place, O_CREAT | O_RDWR, 0666);
    if (file >= 0) static_cast<void>(ftruncate(file, 1 << 20));
  }
  syscall(SYS_mq_open, "hostile-left", O_CREAT | O_RDWR, 0666, nullptr);
  honest(call);
}
