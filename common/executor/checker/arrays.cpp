#include "executor/checker/arrays.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

#include "executor/checker/checker.hpp"
#include "executor/checker/remember.hpp"
#include "executor/checker/source.hpp"

namespace nbody::executor::checker {

namespace {

constexpr std::size_t kLarge = std::size_t{1} << 20;

/// Allocates pages that exist only when touched. Reserves no memory: few programs touch all.
void* zeroPages(std::size_t bytes) {
  constexpr int kHow = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* pages = bytes < kLarge ? std::calloc(bytes, 1)  // its alignment of 16 is the largest needed
                               : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kHow, -1, 0);
  if (pages == nullptr || pages == MAP_FAILED) throw std::bad_alloc();
  // Asks for pages of 2 MiB, because filling 2 GB touches half a million small ones.
  if (bytes >= kLarge) madvise(pages, bytes, MADV_HUGEPAGE);
  return pages;
}

}  // namespace

Array::Array(char* begin, std::size_t bytes, Space space, std::string name)
    : begin(begin), bytes(bytes), space(space), name(std::move(name)) {
  if (bytes == 0) return;
  const std::size_t words = wordCount();
  shadow_ = zeroPages(shadowBytes());
  last = static_cast<Last*>(shadow_);
  more = reinterpret_cast<More*>(last + words);
  covered = reinterpret_cast<Slice*>(more + words);
  written = reinterpret_cast<std::uint8_t*>(covered + words);
}

Array::~Array() {
  if (shadowBytes() < kLarge) std::free(shadow_);
  else munmap(shadow_, shadowBytes());
}

std::size_t Array::shadowBytes() const {
  return wordCount() * (sizeof(Last) + sizeof(More) + sizeof(Slice) + 1);
}

void Array::forgetAccesses() {
  const std::size_t words = wordCount();
  std::memset(shadow_, 0, words * (sizeof(Last) + sizeof(More) + sizeof(Slice)));
  for (std::size_t word = 0; word < words; ++word) written[word] &= ~kHasMore;
}

void Array::forgetWritten() {
  if (std::exchange(touched, false)) std::memset(written, 0, wordCount());
}

void Array::setWritten(std::size_t first, std::size_t end, bool isWritten) {
  touched = true;
  if (!isWritten)
    std::fill(covered + first / kWordBytes, covered + (end + kWordBytes - 1) / kWordBytes, 0);
  auto set = [&](std::size_t word, unsigned bits) {
    written[word] = isWritten ? written[word] | bits : written[word] & ~bits;
  };
  std::size_t word = first / kWordBytes;
  if (first % kWordBytes != 0 && first < end) {
    set(word, bytesOfWord(word, first, end));
    ++word;
  }
  for (; (word + 1) * kWordBytes <= end; ++word) set(word, kWholeWord);
  if (word * kWordBytes < end) set(word, bytesOfWord(word, first, end));
}

void Array::askSource(std::uint32_t code) {
  if (const char* asked = std::exchange(file, nullptr)) {
    const std::string found = nameOfDynamicShared(asked, line);
    name = found.empty() ? kDynamicShared : found;
  }
  if (std::exchange(isDeclared, false) && elementBytes == 0) {
    const Frame frame = sourceFrame(code);
    const std::string variable = name.substr(name.rfind(':') + 1);  // without its scope
    const Shape shape = shapeOf(variable, bytes, frame.file, frame.line, isDouble);
    elementBytes = shape.elementBytes;
    innerExtents = shape.inner;
  }
}

namespace {

struct Globals {
  std::mutex mutex;  // a kernel may allocate while other blocks run
  std::vector<Array*> byBegin;
};
Globals& globals() {
  static auto& all = *new Globals;  // never destroyed: programs free arrays at their very end
  return all;
}

std::vector<Array*>& shared() {
  static thread_local std::vector<Array*> list;
  return list;
}

bool isBefore(const char* address, const Array* array) { return address < array->begin; }

/// Returns \p array if it holds \p address. Sets \p near if the address is in its red zone.
bool holdsOrIsNear(Array* array, const char* address, Array*& near) {
  if (array->holds(address, 1)) return true;
  if (address >= array->begin - array->redZone &&
      address < array->begin + array->bytes + array->redZone)
    near = array;
  return false;
}

}  // namespace

std::vector<Array*> globalArrays() {
  const std::lock_guard lock(globals().mutex);
  return globals().byBegin;
}

const std::vector<Array*>& sharedArrays() { return shared(); }

void addArray(Array& array) {
  if (array.space == Space::shared) return shared().push_back(&array);
  const std::lock_guard lock(globals().mutex);
  std::vector<Array*>& all = globals().byBegin;
  all.insert(std::upper_bound(all.begin(), all.end(), array.begin, isBefore), &array);
}

void removeArray(Array& array) {
  ++arraysVersion;
  if (array.space == Space::shared) {
    std::erase(shared(), &array);
    return;
  }
  const std::lock_guard lock(globals().mutex);
  std::erase(globals().byBegin, &array);
}

Array* globalArrayAround(const char* address) {
  Array* near = nullptr;
  const std::lock_guard lock(globals().mutex);
  const std::vector<Array*>& all = globals().byBegin;
  const auto after = std::upper_bound(all.begin(), all.end(), address, isBefore);
  if (after != all.end()) holdsOrIsNear(*after, address, near);
  if (after != all.begin() && holdsOrIsNear(after[-1], address, near)) return after[-1];
  return near;
}

Array* arrayAround(const char* address) {
  Array* near = nullptr;
  for (Array* array : shared())
    if (holdsOrIsNear(array, address, near)) return array;
  Array* const global = globalArrayAround(address);
  return global != nullptr ? global : near;
}

Array* arrayThatHolds(const void* address, std::size_t bytes) {
  const char* const first = static_cast<const char*>(address);
  Array* const array = arrayAround(first);
  return array != nullptr && bytes > 0 && array->holds(first, bytes) ? array : nullptr;
}

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
