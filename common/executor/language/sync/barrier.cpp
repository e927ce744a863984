// Parts of a barrier that are not the kernel's own accesses. Never instrumented.
#include "executor/language/sync/barrier.hpp"

#include "executor/checker/checker.hpp"

namespace nbody::executor {

void endPhase(const BarrierState& state) {
  if (!currentThread.inKernel) return;
  checker::leaveThread();
  checker::endCopiesOf(&state);
  checker::passBarrier();
  yieldThread();
}

void startCopy(void* to, std::size_t bytes, std::size_t first, std::size_t step,
               const void* barrier) {
  checker::startCopy(to, bytes, first, step, barrier);
}
void commitCopies() { checker::commitCopies(); }
void finishCopies(std::size_t butLast) { checker::finishCopies(butLast); }

void waitForPhase(Site site, const BarrierState& state, std::uint64_t phase, int bits) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  waitUntil(site, [&] {
    return (BarrierState::phaseOf(__atomic_load_n(&state.word, __ATOMIC_RELAXED)) & mask) != phase;
  });
  checker::finishCopiesOf(&state);
}

}  // namespace nbody::executor
