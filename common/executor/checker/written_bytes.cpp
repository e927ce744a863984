// Which bytes of global arrays count as written.
#include "executor/checker/arrays.hpp"
#include "executor/checker/checker.hpp"

namespace nbody::executor::checker {

namespace {

void setWritten(void* pointer, std::size_t bytes, bool written) {
  Array* array = arrayAround(static_cast<char*>(pointer));
  if (array == nullptr || !array->holds(static_cast<char*>(pointer), bytes)) return;
  const std::size_t begin = static_cast<char*>(pointer) - array->begin;
  array->setWritten(begin, begin + bytes, written);
}

void copyWholeWords(Array& to,
                    std::size_t second,
                    const Array& from,
                    std::size_t first,
                    std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint8_t& written = to.written[second + i];
    written = (written & kHasMore) | (from.written[first + i] & kWholeWord);
    to.covered[second + i] = 0;
  }
}

}  // namespace

void copyWritten(void* to, const void* from, std::size_t bytes) {
  const char* const source = static_cast<const char*>(from);
  const char* const target = static_cast<char*>(to);
  Array* const a = arrayAround(source);
  Array* const b = arrayAround(target);
  if (b == nullptr || !b->holds(target, bytes)) return;
  if (a == nullptr || !a->holds(source, bytes)) return setWritten(to, bytes, true);
  const std::size_t first = source - a->begin;
  const std::size_t second = target - b->begin;
  if (first % kWordBytes == 0 && second % kWordBytes == 0 && bytes % kWordBytes == 0)
    return copyWholeWords(*b, second / kWordBytes, *a, first / kWordBytes, bytes / kWordBytes);
  for (std::size_t byte = 0; byte < bytes; ++byte) {
    const std::size_t at = first + byte;
    const bool written = (a->written[at / kWordBytes] >> at % kWordBytes & 1) != 0;
    b->setWritten(second + byte, second + byte + 1, written);
  }
}

void markWritten(void* pointer, std::size_t bytes) { setWritten(pointer, bytes, true); }
void markUnwritten(void* pointer, std::size_t bytes) { setWritten(pointer, bytes, false); }

}  // namespace nbody::executor::checker
