#include "executor/checker/arrays.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "executor/checker/source.hpp"

namespace nbody::executor::checker {

static Array& noArray() {
  static Array none(nullptr, 0, Space::global, "");
  return none;
}

Array* lastArray = &noArray();

Array::Array(char* begin, std::size_t bytes, Space space, std::string name)
    : begin(begin), bytes(bytes), space(space), name(std::move(name)) {
  if (bytes == 0) return;
  // calloc: pages of the shadow that no kernel touches cost nothing.
  std::size_t room = cellCount() * (sizeof(Cell) + 1) + sizeof(Cell);
  void* aligned = shadow = std::calloc(room, 1);
  if (shadow == nullptr) throw std::bad_alloc();
  cells = static_cast<Cell*>(std::align(sizeof(Cell), sizeof(Cell), aligned, room));
  written = reinterpret_cast<std::uint8_t*>(cells + cellCount());
}

Array::~Array() { std::free(shadow); }

void Array::clear() {
  if (!std::exchange(touched, false)) return;
  std::memset(static_cast<void*>(cells), 0, cellCount() * (sizeof(Cell) + 1));
  allWritten = false;
}

void Array::setWritten(std::size_t begin, std::size_t end, bool isWritten) {
  constexpr unsigned kAll = (1u << kWordBytes) - 1;
  if (!isWritten) allWritten = false;
  auto set = [&](std::size_t word, unsigned bits) {
    written[word] = isWritten ? written[word] | bits : written[word] & ~bits;
  };
  const std::size_t firstWhole = (begin + kWordBytes - 1) / kWordBytes;
  const std::size_t lastWhole = end / kWordBytes;
  if (firstWhole > lastWhole) return set(lastWhole, bytesOfWord(lastWhole, begin, end));
  if (begin % kWordBytes != 0) set(firstWhole - 1, bytesOfWord(firstWhole - 1, begin, end));
  std::memset(written + firstWhole, isWritten ? kAll : 0, lastWhole - firstWhole);
  if (end % kWordBytes != 0) set(lastWhole, bytesOfWord(lastWhole, begin, end));
}

void Array::askSource(std::uint32_t code) {
  if (const char* asked = std::exchange(file, nullptr)) {
    const std::string found = nameOfDynamicShared(asked, line);
    name = found.empty() ? kDynamicShared : found;
  }
  if (const Symbol* asked = std::exchange(symbol, nullptr)) {
    const Frame frame = sourceFrame(code);
    elementBytes = elementBytesOfShared(name, frame.file, frame.line, asked->isDouble);
  }
}

static std::vector<Array*>& all() {
  static std::vector<Array*> list;
  return list;
}

const std::vector<Array*>& arrays() { return all(); }

void forgetLastArray() { lastArray = &noArray(); }

void addArray(Array& array) { all().push_back(&array); }

void removeArray(Array& array) {
  std::erase(all(), &array);
  forgetLastArray();
}

Array* arrayAround(const char* address) {
  Array* near = nullptr;
  for (Array* array : all()) {
    if (array->holds(address, 1)) return array;
    if (address >= array->begin - array->redZone &&
        address < array->begin + array->bytes + array->redZone)
      near = array;
  }
  return near;
}

}  // namespace nbody::executor::checker
