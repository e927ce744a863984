/// \file
/// Asynchronous copies into shared memory, of a thread or a group. Each copies its share at once, and
/// the checker reports uses before the wait.
#pragma once

#include <cstddef>

#include "executor/language/always_inline.hpp"
#include "executor/language/tensor_cores.hpp"

namespace nbody::executor {

/// Tell the checker about asynchronous copies (checker.hpp).
void startCopy(void* to, std::size_t bytes, std::size_t first = 0, std::size_t step = 1,
               const void* barrier = nullptr);
void commitCopies();
void finishCopies(std::size_t butLast);

/// Copies the words first, first + step, ... of \p bytes bytes: words of 4 bytes if everything is
/// aligned to them, otherwise single bytes.
NBODY_ALWAYS_INLINE void copyWords(void* to, const void* from, std::size_t bytes, std::size_t first,
                                   std::size_t step) {
  const auto copy = [&](auto* target, auto* source) {
    for (std::size_t i = first; i < bytes / sizeof *target; i += step) target[i] = source[i];
  };
  const auto addresses = reinterpret_cast<std::size_t>(to) | reinterpret_cast<std::size_t>(from);
  if ((addresses | bytes) % sizeof(unsigned) == 0)
    copy(static_cast<unsigned*>(to), static_cast<const unsigned*>(from));
  else copy(static_cast<char*>(to), static_cast<const char*>(from));
}

NBODY_ALWAYS_INLINE void copyAlone(void* to, const void* from, std::size_t bytes,
                                   const void* barrier = nullptr) {
  copyWords(to, from, bytes, 0, 1);
  startCopy(to, bytes, 0, 1, barrier);
}

/// Does cp.async: copies \p bytes bytes, 4, 8 or 16. Only the first \p used of them are read, and the
/// others become 0.
NBODY_ALWAYS_INLINE void copyPiece(Site site, void* to, const void* from, std::size_t bytes,
                                   std::size_t used) {
  requireCopy(site, to, from, bytes, used);
  copyAlone(to, from, used);
  for (std::size_t i = used; i < bytes; ++i) static_cast<char*>(to)[i] = 0;
}

}  // namespace nbody::executor
