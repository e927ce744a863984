/// \file
/// The calls of checker.hpp in builds without a checker: they do nothing.
#pragma once

#include "executor/checker/checker.hpp"

namespace nbody::executor::checker {

inline constexpr bool kOn = false;

inline void beginGrid(const Grid&, int) {}
inline void endGrid(const Grid&, std::exception_ptr) {}
inline void beginWorker() {}
inline void endWorker() {}
inline void beginBlock(std::uint64_t, void*, std::size_t, std::size_t) {}
inline void enterThread(int, const void*, std::size_t) {}
inline void leaveThread() {}
inline void resumeThread() {}
inline bool isWatched() { return false; }
inline void passBarrier() {}
inline void setScope(bool) {}
inline void leavePhase() {}
inline void passGridBarrier() {}
inline void enterPhase() {}
inline void resumeBlock(std::uint64_t, void*, std::size_t, std::size_t) {}
inline void passWarpBarrier(int, unsigned) {}
inline void shareUndefined(int, unsigned) {}
inline void shuffleUndefined(int, unsigned, const int (&)[32]) {}
inline void readWrongLane(int, const std::string&, const std::string&) {}
inline void leaveUndefined() {}
inline void startCopy(void*, std::size_t, std::size_t, std::size_t, const void*) {}
inline void commitCopies() {}
inline void finishCopies(std::size_t) {}
inline void endCopiesOf(const void*) {}
inline void finishCopiesOf(const void*) {}
inline void passOnUndefined() {}
inline void setArguments(const void*, std::size_t) {}
inline void beginOperation(const Operation&) {}
inline void accessRange(const void*, std::size_t, bool) {}
inline void allocateRange(const void*, std::size_t) {}
inline bool isNowhereWritten(const void*, std::size_t) { return false; }
struct Unwritten {
  std::size_t elements = 0, of = 0;
};
inline Unwritten unwrittenElements(const void*, std::size_t) { return {}; }
inline void notePartlyWritten(const void*, Unwritten) {}
inline void readUnwritten(const void*) {}
inline std::string endOperation() { return ""; }
inline std::string heldReports() { return ""; }
inline std::vector<std::string> takeNotes() { return {}; }
inline void addNote(const std::string&) {}
inline void describeDynamicShared(std::size_t, const char*, int) {}
inline void* allocate(std::size_t) { return nullptr; }
inline void release(void*) {}
inline void adopt(void*, std::size_t, std::size_t, const std::string&, bool) {}
inline void disown(void*) {}
inline void copyWritten(void*, const void*, std::size_t) {}
inline void setStrayNames(std::string (*)(const void*)) {}
inline void describe(void*, const std::string&, std::size_t, const char* = nullptr, int = 0) {}
inline void markWritten(void*, std::size_t) {}
inline void markUnwritten(void*, std::size_t) {}
inline std::uint64_t globalBytesRead() { return 0; }

}  // namespace nbody::executor::checker
