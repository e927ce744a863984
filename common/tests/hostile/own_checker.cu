// Tries: its own functions in the place of the checker's, so that no access is seen.
// Stopped by: the linker, which will not have two; or the count of what kernels read.
// Most: 0
// Trusted: 0
#include "honest.hpp"

#define HOOKS(bytes)                           \
  void __tsan_read##bytes(void*) {}            \
  void __tsan_write##bytes(void*) {}           \
  void __tsan_unaligned_read##bytes(void*) {}  \
  void __tsan_unaligned_write##bytes(void*) {} \
  void __tsan_volatile_read##bytes(void*) {}   \
  void __tsan_volatile_write##bytes(void*) {}

extern "C" {
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
}

namespace nbody {

void answer(Call call) { honest(call); }

}  // namespace nbody
