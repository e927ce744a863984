/// \file
/// Records what the threads of a few blocks do, one event per access or wait, for a page that shows it.
///
/// NBODY_EXECUTOR_SEE=FILE writes the events to FILE as lines of JSON when the program ends. Recorded are the first
/// launch of each line and there the first two blocks and the last one, or the block of NBODY_EXECUTOR_SEE_BLOCK.
/// While a block is recorded its threads take turns at every access, so that the values are those of threads that run
/// at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "executor/threads.hpp"

namespace nbody::executor::checker {

struct Array;
enum class Access : std::uint8_t;  // counts.hpp

/// Decides whether the block that begins or continues on the calling OS thread is recorded, and returns it.
bool beginSeeing(std::uint64_t block, std::uint64_t blocks, bool isResumed);
void endSeeing();

/// Lets the block's other threads continue to their next accesses, if the block is recorded.
void seeTurn();
/// Records an access that comes next. Before that, the other threads have their turns.
void seeAccess(const void* address, std::size_t bytes, Access access, const void* code);
/// Reads what the last write has written. Must run before another thread or the scheduler writes there.
void finishSeenWrite();
void seeRace(const Array& array, std::size_t word, std::uint32_t code, int thread, bool writes,
             std::uint32_t otherCode, int otherThread, bool otherWrites,
             const std::string& otherPlace);
/// Describes an array that a thread is about to miss.
void seeArray(Array& array, std::uint32_t code);
/// Records that the running thread ends here: "c[10]".
/// \p where: the line, if \p code is 0.
void seeStop(const std::string& what, std::uint32_t code, bool writes, std::size_t bytes,
             const std::string& where);

#ifdef NBODY_CHECK_RACE
/// Records that a thread waits. \p kind: B for its block, W at __syncwarp(), S in a shuffle, V in another warp function, G
/// for the grid. \p source: lane whose value it gets.
void seeWait(char kind, int thread, Site site, unsigned mask = 0, int source = 0,
             std::uint64_t value = 0);
#else
inline void seeWait(char, int, Site, unsigned = 0, int = 0, std::uint64_t = 0) {}
#endif

}  // namespace nbody::executor::checker
