/// \file
/// cuda::pipeline: stages that producers fill and consumers empty, in one thread or in a block.
#pragma once

#include "executor/language/sync/barrier.hpp"

namespace cuda {

enum class pipeline_role { producer, consumer };

/// State that the threads of a pipeline share, in shared memory.
template <thread_scope Scope, unsigned char Stages>
class pipeline_shared_state {
 public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state&) = delete;

  barrier<Scope> full[Stages];  ///< a phase ends when all producers have committed
  barrier<Scope> empty[Stages];  ///< a phase ends when all consumers have released
  unsigned producers;
  unsigned owners;  ///< threads that have not quit
};

/// A pipeline as one thread sees it. Copies happen at once; the checker learns of waits for them.
template <thread_scope Scope>
class pipeline {
 public:
  /// Makes a thread's own pipeline, or its part in that of a block with \p stages stages.
  pipeline() = default;
  pipeline(barrier<Scope>* full, barrier<Scope>* empty, unsigned stages, unsigned* owners)
      : full_(full), empty_(empty), stages_(stages), owners_(owners) {}

  /// Waits until the next stage is empty.
  void producer_acquire(NBODY_SITE) {
    const unsigned round = stages_ == 0 ? 0 : filled_ / stages_;
    if (round > 0) empty_[filled_ % stages_].wait_parity((round - 1) % 2 != 0, file, line);
  }
  NBODY_ALWAYS_INLINE void producer_commit() {
    if (stages_ != 0) full_[filled_ % stages_].arrive();
    else nbody::executor::commitCopies();
    ++filled_;
  }
  /// Waits until the oldest stage is full. With one thread, this also releases it.
  void consumer_wait(NBODY_SITE) {
    if (stages_ != 0)
      full_[emptied_ % stages_].wait_parity(emptied_ / stages_ % 2 != 0, file, line);
    else if (filled_ > emptied_) waitForAllBut(filled_ - emptied_ - 1);
  }
  NBODY_ALWAYS_INLINE void consumer_release() {
    if (stages_ != 0) empty_[emptied_++ % stages_].arrive();
  }
  /// Waits for the thread's own stages except the last ones.
  void waitForAllBut(unsigned last) {
    nbody::executor::finishCopies(last);
    if (filled_ > last) emptied_ = filled_ - last;
  }
  /// Returns the barrier that ends copies of the next stage; null if the thread waits itself.
  const void* barrierOfCopies() const { return stages_ == 0 ? nullptr : &full_[filled_ % stages_]; }
  /// Leaves the pipeline. Returns whether the calling thread was the last one.
  NBODY_ALWAYS_INLINE bool quit() { return owners_ == nullptr || atomicSub(owners_, 1u) == 1; }

 private:
  barrier<Scope>*full_ = nullptr, *empty_ = nullptr;
  unsigned stages_ = 0;
  unsigned* owners_ = nullptr;
  unsigned filled_ = 0, emptied_ = 0;  ///< stages so far
};

inline pipeline<thread_scope_thread> make_pipeline() { return {}; }

namespace nbody_detail {
/// Returns the calling thread's part, with its roles. The whole group must call it.
template <class Group, thread_scope Scope, unsigned char Stages>
pipeline<Scope> joinPipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                             bool producer, bool consumer) {
  if (group.thread_rank() == 0) state->producers = 0;
  group.sync();
  if (producer) atomicAdd(&state->producers, 1u);
  group.sync();
  if (group.thread_rank() == 0) {
    const auto producers = static_cast<::std::ptrdiff_t>(state->producers);
    const auto all = static_cast<::std::ptrdiff_t>(group.num_threads());
    const bool everyone = producer && consumer;
    state->owners = static_cast<unsigned>(all);
    for (unsigned stage = 0; stage < Stages; ++stage) {
      init(&state->full[stage], producers);
      init(&state->empty[stage], everyone ? all : all - producers);
    }
  }
  group.sync();
  return {state->full, state->empty, Stages, &state->owners};
}
}  // namespace nbody_detail

/// Makes a pipeline in which every thread of \p group is producer and consumer.
template <class Group, thread_scope Scope, unsigned char Stages>
pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state) {
  return nbody_detail::joinPipeline(group, state, true, true);
}
/// Makes a pipeline in which the first \p producers threads produce and the others consume.
template <class Group, thread_scope Scope, unsigned char Stages>
pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                              ::std::size_t producers) {
  const bool produces = group.thread_rank() < producers;
  return nbody_detail::joinPipeline(group, state, produces, !produces);
}
template <class Group, thread_scope Scope, unsigned char Stages>
pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* state,
                              pipeline_role role) {
  const bool produces = role == pipeline_role::producer;
  return nbody_detail::joinPipeline(group, state, produces, !produces);
}

/// Waits for all of the calling thread's stages except the last \p Prior.
template <unsigned char Prior>
void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& pipeline) {
  pipeline.waitForAllBut(Prior);
}

template <class T, class Size, thread_scope Scope>
NBODY_ALWAYS_INLINE void memcpy_async(T* to, const T* from, const Size& bytes, pipeline<Scope>& p) {
  nbody::executor::copyAlone(to, from, static_cast<::std::size_t>(bytes), p.barrierOfCopies());
}
template <class Group, class T, class Size, thread_scope Scope>
NBODY_ALWAYS_INLINE void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes,
                                      pipeline<Scope>& p) {
  nbody::executor::copyShare(group, to, from, static_cast<::std::size_t>(bytes),
                             p.barrierOfCopies());
}

}  // namespace cuda

// Pipelines of one thread, as functions.

/// Copies \p bytes bytes, and sets the last \p zeros of them to 0.
NBODY_ALWAYS_INLINE void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes,
                                                 std::size_t zeros = 0, NBODY_SITE) {
  nbody::executor::copyPiece({"__pipeline_memcpy_async()", file, line}, to, from, bytes,
                             bytes - zeros);
}
inline void __pipeline_commit() { nbody::executor::commitCopies(); }
inline void __pipeline_wait_prior(std::size_t stages) { nbody::executor::finishCopies(stages); }
