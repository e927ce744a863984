/// \file
/// Records what the threads of a few blocks do, one event per access or wait. A page then shows
/// it (see.py).
///
/// NBODY_EXECUTOR_SEE=FILE writes the events to FILE as lines of JSON when the program ends. It
/// records the first launch of each line, and the line's first launch with a finding. In each it
/// records the first two blocks, the last one, and those that NBODY_EXECUTOR_SEE_REPORTS names, the
/// text of the checker's reports of an earlier run. NBODY_EXECUTOR_SEE_LAUNCH=N and _SEE_BLOCK=N
/// record only that launch of the program, and that block of each launch, from 0.
///
/// Threads of a recorded block take turns at every access, so that the values are those of threads
/// that run at the same time. A block with too many events keeps all events of some warps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace nbody::executor::checker {

struct Array;
enum class Access : std::uint8_t;  // counts.hpp

/// Decides whether the block that begins or continues on the calling OS thread is recorded, and
/// returns it.
bool beginSeeing(std::uint64_t block, std::uint64_t blocks, bool isResumed);
void endSeeing();
/// Ends a launch. \p hasFindings: the checker has found something in it.
void endSeenLaunch(bool hasFindings);

/// Lets the block's other threads continue to their next accesses, if the block is recorded or
/// Options::inTurns is set.
void seeTurn();
/// Records an access that comes next. Before that, the other threads have their turns.
void seeAccess(const void* address, std::size_t bytes, Access access, const void* code);
/// Records that what the running thread has just written to these bytes is an asynchronous copy.
void seeCopy(const void* to, std::size_t bytes);
/// Reads what the last writes have written. Must run before another thread or the scheduler writes
/// there.
void finishSeenWrite();

/// Writes what was recorded, if anything was.
void writeSeen();

/// One side of a race.
struct SeenSide {
  std::uint32_t code;
  int thread;
  bool writes;
};
/// Records a race. \p place: another block or launch, of the earlier side.
void seeRace(const Array& array, std::size_t word, const SeenSide& earlier, const SeenSide& later,
             const std::string& place);
/// Records that the running thread ends here: "c[10]". \p array: what it has missed; null if this is
/// unknown. \p where: the line, if \p code is 0.
void seeStop(const std::string& what, Array* array, std::uint32_t code, bool writes,
             const std::string& where);

}  // namespace nbody::executor::checker
