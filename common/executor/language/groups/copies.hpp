/// \file
/// cooperative_groups: copies by all threads of a group. Each copies its share at once; the checker
/// sees to it that nobody uses it before a wait.
#pragma once

#include <cstddef>
#include <type_traits>

#include "executor/language/always_inline.hpp"
#include "executor/language/groups/partitions.hpp"

namespace cuda {

/// A number of bytes, and the promise that the memory is aligned.
template <std::size_t Alignment>
struct aligned_size_t {
  static constexpr std::size_t align = Alignment;
  std::size_t value;
  constexpr explicit aligned_size_t(std::size_t bytes) : value(bytes) {}
  constexpr operator std::size_t() const { return value; }
};

}  // namespace cuda

namespace nbody::executor {

/// These tell the checker about asynchronous copies (checker.hpp).
void startCopy(void* to, std::size_t bytes, std::size_t first = 0, std::size_t step = 1,
               const void* barrier = nullptr);
void commitCopies();
void finishCopies(std::size_t butLast);

/// Copies the words first, first + step, ... of \p bytes bytes; words of 4 bytes where all of it is
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

/// The caller's share of a copy by all threads of \p group.
template <class Group>
NBODY_ALWAYS_INLINE void copyShare(const Group& group, void* to, const void* from,
                                   std::size_t bytes, const void* barrier = nullptr) {
  copyWords(to, from, bytes, group.thread_rank(), group.num_threads());
  startCopy(to, bytes, group.thread_rank(), group.num_threads(), barrier);
}
NBODY_ALWAYS_INLINE void copyAlone(void* to, const void* from, std::size_t bytes,
                                   const void* barrier = nullptr) {
  copyWords(to, from, bytes, 0, 1);
  startCopy(to, bytes, 0, 1, barrier);
}

}  // namespace nbody::executor

namespace cooperative_groups {

/// Copies \p bytes bytes, a number or a cuda::aligned_size_t.
template <class Group, class T, class Size>
NBODY_ALWAYS_INLINE void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes) {
  nbody::executor::copyShare(group, to, from, static_cast<std::size_t>(bytes));
  nbody::executor::commitCopies();
}

/// Copies as many elements as both sides have room for.
template <class Group, class T, class ToCount, class FromCount>
NBODY_ALWAYS_INLINE void memcpy_async(const Group& group, T* to, const ToCount& toCount,
                                      const T* from, const FromCount& fromCount) {
  const std::size_t room = static_cast<std::size_t>(toCount),
                    there = static_cast<std::size_t>(fromCount);
  nbody::executor::copyShare(group, to, from, (room < there ? room : there) * sizeof(T));
  nbody::executor::commitCopies();
}

/// Waits for the copies of all threads of \p group.
template <class Group>
void wait(const Group& group, NBODY_SITE) {
  nbody::executor::finishCopies(0);
  group.sync(file, line);
}
/// Waits for all but the last \p Stages copies.
template <unsigned Stages, class Group>
void wait_prior(const Group& group, NBODY_SITE) {
  nbody::executor::finishCopies(Stages);
  group.sync(file, line);
}

}  // namespace cooperative_groups
