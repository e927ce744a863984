/// \file
/// The check of one access, which every instrumented load and store of a kernel runs.
#pragma once

#include <algorithm>

#include "executor/checker/arrays.hpp"
#include "executor/checker/findings.hpp"
#include "executor/checker/program.hpp"

namespace nbody::executor::checker {

/// The array of an access, unless it is the one used last; null where the access needs no check.
/// Does not return where the access is out of bounds.
Array* locate(const char* address, std::size_t bytes, bool writes, std::uint32_t code);

enum class Action { read, write, atomicRead, atomicWrite };

inline bool isWrite(Action action) {
  return action == Action::write || action == Action::atomicWrite;
}
inline bool isAtomic(Action action) { return action >= Action::atomicRead; }

/// Finds a race where nothing orders \p earlier before \p now and both are of the same byte.
inline void compare(Array& array,
                    std::size_t word,
                    const Access& earlier,
                    Action then,
                    const Access& now,
                    Action action) {
  if (isOrdered(earlier)) [[likely]]
    return;
  if ((earlier.bytes() & now.bytes()) != 0)
    foundRace(array,
              word,
              {earlier, isWrite(then), isAtomic(then)},
              {now, isWrite(action), isAtomic(action)});
}

/// Compares an access to a word with those before it, and remembers it.
inline void checkWord(Array& array, std::size_t word, const Access& now, Action action) {
  Cell& cell = array.cells[word];
  compare(array, word, cell.write, Action::write, now, action);
  if (!isAtomic(action)) compare(array, word, cell.atomic, Action::atomicWrite, now, action);
  if (isWrite(action)) {
    compare(array, word, cell.otherRead, Action::read, now, action);
    compare(array, word, cell.read, Action::read, now, action);
  }
  if (action == Action::read) rememberRead(cell, now);
  else (isAtomic(action) ? cell.atomic : cell.write) = now;
}

/// Checks that the running thread may read or write \p bytes bytes; \p code is the address of the
/// instruction after the access. An atomic update is a read and a write.
inline void checkAccess(const void* address, std::size_t bytes, Action action, const void* code) {
  if (!running.kernel) return;
  const char* first = static_cast<const char*>(address);
  const std::uint32_t offset = offsetInProgram(code);
  Array* array = lastArray;
  if (!array->holds(first, bytes)) {
    if (first >= running.stackLow && first < running.stackHigh) return;
    array = locate(first, bytes, isWrite(action), offset);
    if (array == nullptr) return;
  }
  if (action == Action::read) array->bytesRead += bytes;
  const int thread = running.thread;
  const std::uint16_t clock = clocks[thread][thread % kLanes];
  const std::size_t begin = first - array->begin;
  const std::size_t end = begin + bytes;
  for (std::size_t word = begin / kWordBytes; word * kWordBytes < end; ++word) {
    const unsigned mask = bytesOfWord(word, begin, end);
    const auto threadAndBytes = static_cast<std::uint16_t>(thread | mask << 12);
    const Access now = {running.block, running.epoch, offset, threadAndBytes, clock};
    if (isWrite(action)) array->written[word] |= mask;
    else if ((array->written[word] & mask) != mask) [[unlikely]] foundUnwritten(*array, word, now);
    checkWord(*array, word, now, action);
  }
}

}  // namespace nbody::executor::checker
