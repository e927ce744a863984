// Marks bytes of arrays as written or unwritten.
#include "executor/checker/arrays.hpp"
#include "executor/checker/checker.hpp"
#include "executor/checker/remember.hpp"

namespace nbody::executor::checker {

static void setWritten(void* pointer, std::size_t bytes, bool written) {
  Array* const array = arrayThatHolds(pointer, bytes);
  if (array == nullptr) return;
  const std::size_t begin = array->offsetOf(pointer);
  array->setWritten(begin, begin + bytes, written);
}

void copyWritten(void* target, const void* source, std::size_t bytes) {
  Array* const a = arrayThatHolds(source, bytes);
  Array* const b = arrayThatHolds(target, bytes);
  if (b == nullptr) return;
  const std::size_t first = a == nullptr ? 0 : a->offsetOf(source);
  const std::size_t second = b->offsetOf(target);
  const bool isOfWords = (first | second | bytes) % kWordBytes == 0;
  const std::size_t step = isOfWords ? kWordBytes : 1;
  const unsigned mask = isOfWords ? kWholeWord : 1;
  const bool isBackwards = a == b && first < second;  // like memmove()
  for (std::size_t done = 0; done < bytes; done += step) {
    const std::size_t offset = isBackwards ? bytes - step - done : done;
    const std::size_t from = first + offset, to = second + offset;
    const unsigned written =
        a == nullptr ? mask : a->written[from / kWordBytes] >> from % kWordBytes & mask;
    setBits(*b, to / kWordBytes, written << to % kWordBytes);
    clearBits(*b, to / kWordBytes, (mask & ~written) << to % kWordBytes);
  }
}

void markWritten(void* pointer, std::size_t bytes) { setWritten(pointer, bytes, true); }
void markUnwritten(void* pointer, std::size_t bytes) { setWritten(pointer, bytes, false); }

}  // namespace nbody::executor::checker
