// What of a barrier is not the kernel's own accesses. Never instrumented.
#include "executor/language/sync/barrier.hpp"

#include "executor/checker/checker.hpp"

namespace nbody::executor {

bool hasEnded(const BarrierState& state, std::uint64_t phase, int bits) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  return (BarrierState::phaseOf(__atomic_load_n(&state.word, __ATOMIC_RELAXED)) & mask) != phase;
}

void endPhase() {
  if (!currentThread.inKernel) return;
  checker::leaveThread();
  checker::passBarrier();
  yieldThread();
}

void waitForPhase(Site site, const BarrierState& state, std::uint64_t phase, int bits) {
  struct Wait {
    const BarrierState& state;
    std::uint64_t phase;
    int bits;
  };
  const Wait own = {state, phase, bits};
  waitUntil(
      site,
      [](const void* data) {
        const Wait& w = *static_cast<const Wait*>(data);
        return hasEnded(w.state, w.phase, w.bits);
      },
      &own);
}

}  // namespace nbody::executor
