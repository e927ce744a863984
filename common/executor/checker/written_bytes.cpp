// Marks bytes of arrays as written or unwritten.
#include "executor/checker/arrays.hpp"
#include "executor/checker/checker.hpp"
#include "executor/checker/remember.hpp"

namespace nbody::executor::checker {

namespace {

void setWritten(void* pointer, std::size_t bytes, bool written) {
  Array* array = arrayAround(static_cast<char*>(pointer));
  if (array == nullptr || !array->holds(static_cast<char*>(pointer), bytes)) return;
  const std::size_t begin = static_cast<char*>(pointer) - array->begin;
  array->setWritten(begin, begin + bytes, written);
}

}  // namespace

void copyWritten(void* targetBegin, const void* sourceBegin, std::size_t bytes) {
  const char* const source = static_cast<const char*>(sourceBegin);
  const char* const target = static_cast<char*>(targetBegin);
  Array* const a = arrayAround(source);
  Array* const b = arrayAround(target);
  if (b == nullptr || !b->holds(target, bytes)) return;
  const bool isOfArray = a != nullptr && a->holds(source, bytes);
  const std::size_t first = isOfArray ? source - a->begin : 0;
  const std::size_t second = target - b->begin;
  const bool isOfWords = (first | second | bytes) % kWordBytes == 0;
  const std::size_t step = isOfWords ? kWordBytes : 1;
  const unsigned mask = isOfWords ? kWholeWord : 1;
  const bool isBackwards = a == b && first < second;  // like memmove()
  for (std::size_t done = 0; done < bytes; done += step) {
    const std::size_t offset = isBackwards ? bytes - step - done : done;
    const std::size_t from = first + offset, to = second + offset;
    const unsigned written =
        isOfArray ? a->written[from / kWordBytes] >> from % kWordBytes & mask : mask;
    setBits(*b, to / kWordBytes, written << to % kWordBytes);
    clearBits(*b, to / kWordBytes, (mask & ~written) << to % kWordBytes);
  }
}

void markWritten(void* pointer, std::size_t bytes) { setWritten(pointer, bytes, true); }
void markUnwritten(void* pointer, std::size_t bytes) { setWritten(pointer, bytes, false); }

}  // namespace nbody::executor::checker
