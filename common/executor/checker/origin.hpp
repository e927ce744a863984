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
/// A copy to the host was made, or a kernel has written to memory that the host reads without one.
void hostHasRead(std::size_t bytes);
/// The host reads the array of \p begin without a copy.
void shareWithHost(void* begin);

/// \p exact: by the CPU time of the thread, which takes long; else by a clock that goes on while
/// another process has the core.
void beginWork(bool exact);
Work workDone();

/// Where the memory of an array can be read while host code may not touch it.
void setAlias(const char* (*aliasOf)(const void* pointer));
/// From now on the words that kernels have written are kept when their array goes, or when the host
/// can change them; keptWords() has these and those of the arrays that are there.
void keepWords();
std::vector<std::uint32_t> keptWords();

// --- From the checker's other parts.

void beginThreadWork();
void endThreadWork(int thread);
/// The calling OS thread has come to the end of a block.
void endBlockWork();
void endLaunchWork();
void noteHostsArrays();
struct Array;
void keepWordsOf(const Array& array);

#else

inline Writers writersOf(const void*, std::size_t words, std::size_t) { return {words, 0, 0, 0}; }
inline void allowHostToRead(std::size_t) {}
inline void hostHasRead(std::size_t) {}
inline void shareWithHost(void*) {}
inline void setAlias(const char* (*)(const void*)) {}
inline void beginWork(bool) {}
inline Work workDone() { return {}; }

#endif

}  // namespace nbody::executor::checker
