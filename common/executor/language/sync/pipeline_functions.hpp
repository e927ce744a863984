/// \file
/// Pipelines of one thread, by functions. Copies are done at once; the checker is told of the waits.
#pragma once

#include "executor/language/groups/copies.hpp"

/// Copies \p bytes bytes, the last \p zeros of them as zeros.
NBODY_ALWAYS_INLINE void __pipeline_memcpy_async(void* to,
                                                 const void* from,
                                                 std::size_t bytes,
                                                 std::size_t zeros = 0) {
  nbody::executor::copyAlone(to, from, bytes - zeros);
  for (std::size_t i = bytes - zeros; i < bytes; ++i) static_cast<char*>(to)[i] = 0;
}
inline void __pipeline_commit() { nbody::executor::commitCopies(); }
inline void __pipeline_wait_prior(std::size_t stages) { nbody::executor::finishCopies(stages); }
