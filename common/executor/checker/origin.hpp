/// \file
/// Where results come from, for who judges a program: which words kernels have written, what the
/// host had read of the device's memory by then, and how the kernels' work was spread over threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nbody::executor::checker {

/// How many of some words were written last by whom.
struct Writers {
  std::size_t kernels = 0;
  std::size_t kernelsAfterHost = 0;  ///< who may have been told by the host, see allowHostToRead()
  std::size_t host = 0;  ///< by copies and fills
  std::size_t nobody = 0;
};

/// What kernels have done since beginWork(), in ticks of a clock.
struct Work {
  std::uint64_t all = 0;
  std::uint64_t longest = 0;  ///< that of each launch's longest thread
};

#ifdef NBODY_CHECK_RACE

/// Of the words from \p begin on, \p stride bytes apart. Bytes of no array count as nobody's.
Writers writersOf(const void* begin, std::size_t words, std::size_t stride);

/// From now on the host may read \p bytes of the device's memory; what kernels write after it has
/// read more, may come from it.
void allowHostToRead(std::size_t bytes);
/// A copy to the host was made. \p to: null where \p from can be read
void copiedToHost(const void* to, const void* from, std::size_t bytes);
/// A copy from the host will be made.
void copiesFromHost(const void* from, std::size_t bytes);
/// The host reads the array of \p begin without a copy.
void shareWithHost(void* begin);

/// \p exact: by the CPU time of the thread, which takes long; else by a clock that goes on while
/// another process has the core.
void beginWork(bool exact);
Work workDone();

/// From now on the words are kept that kernels have written and the host gets to see.
void keepWords();
/// Those that the host had not itself brought to the device.
std::vector<std::uint32_t> keptWords();

// --- From the checker's other parts.

inline bool workIsCounted = false;  ///< since beginWork(): a clock costs as much as a short thread
void startThreadClock();
void stopThreadClock(int thread);
inline void beginThreadWork() {
  if (workIsCounted) startThreadClock();
}
inline void endThreadWork(int thread) {
  if (workIsCounted) stopThreadClock(thread);
}
/// The calling OS thread has come to the end of a block.
void endBlockWork();
void endLaunchWork();
void noteHostsArrays();

#else

inline Writers writersOf(const void*, std::size_t words, std::size_t) { return {words, 0, 0, 0}; }
inline void allowHostToRead(std::size_t) {}
inline void copiedToHost(const void*, const void*, std::size_t) {}
inline void copiesFromHost(const void*, std::size_t) {}
inline void shareWithHost(void*) {}
inline void beginWork(bool) {}
inline Work workDone() { return {}; }

#endif

}  // namespace nbody::executor::checker
