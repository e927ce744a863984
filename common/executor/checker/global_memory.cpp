// Global arrays with what surrounds them.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>

#include "executor/checker/arrays.hpp"
#include "executor/checker/check.hpp"
#include "executor/checker/checker.hpp"

namespace nbody::executor::checker {

namespace {

constexpr std::size_t kAlignment = 256;  // that of cudaMalloc on a GPU

std::uint64_t bytesReadBefore = 0;  ///< of arrays that are gone

std::map<void*, std::unique_ptr<Array>>& globals() {
  static std::map<void*, std::unique_ptr<Array>> map;
  return map;
}

std::size_t roundedUp(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// As wide as the array, so that an index twice too large still shows whose it is; the pages are
/// reserved, never touched.
std::size_t redZoneFor(std::size_t bytes) {
  return roundedUp(std::clamp<std::size_t>(bytes, 4096, 1 << 20));
}

void setWritten(void* pointer, std::size_t bytes, bool written) {
  Array* array = arrayAround(static_cast<char*>(pointer));
  if (array == nullptr || !array->holds(static_cast<char*>(pointer), bytes)) return;
  const std::size_t begin = static_cast<char*>(pointer) - array->begin;
  array->setWritten(begin, begin + bytes, written);
}

}  // namespace

void* allocate(std::size_t bytes) {
  const std::size_t redZone = redZoneFor(bytes);
  auto* memory =
      static_cast<char*>(std::aligned_alloc(kAlignment, redZone + roundedUp(bytes) + redZone));
  if (memory == nullptr) return nullptr;
  char* begin = memory + redZone;
  auto array = std::make_unique<Array>(
      begin, bytes, Space::global, "an array of " + std::to_string(bytes) + " bytes");
  array->redZone = redZone;
  addArray(*array);
  globals()[begin] = std::move(array);
  return begin;
}

void release(void* pointer) {
  const auto position = globals().find(pointer);
  if (position == globals().end()) return;
  Array& array = *position->second;
  forgetSites();
  bytesReadBefore += array.bytesRead;
  removeArray(array);
  std::free(array.begin - array.redZone);
  globals().erase(position);
}

void adopt(void* begin,
           std::size_t bytes,
           std::size_t redZone,
           const std::string& name,
           bool written) {
  disown(begin);
  auto array = std::make_unique<Array>(static_cast<char*>(begin), bytes, Space::global, name);
  array->redZone = redZone;
  if (written) array->setWritten(0, bytes, true);
  addArray(*array);
  globals()[begin] = std::move(array);
}

void disown(void* begin) {
  const auto position = globals().find(begin);
  if (position == globals().end()) return;
  forgetSites();
  bytesReadBefore += position->second->bytesRead;
  removeArray(*position->second);
  globals().erase(position);
}

void copyWritten(void* to, const void* from, std::size_t bytes) {
  const char* const source = static_cast<const char*>(from);
  const char* const target = static_cast<char*>(to);
  Array* const a = arrayAround(source);
  Array* const b = arrayAround(target);
  if (b == nullptr || !b->holds(target, bytes)) return;
  if (a == nullptr || !a->holds(source, bytes)) return setWritten(to, bytes, true);
  const std::size_t first = source - a->begin;
  const std::size_t second = target - b->begin;
  for (std::size_t byte = 0; byte < bytes; ++byte) {
    const std::size_t at = first + byte;
    const bool written = (a->written[at / kWordBytes] >> at % kWordBytes & 1) != 0;
    b->setWritten(second + byte, second + byte + 1, written);
  }
}

void describe(void* pointer, const std::string& name, std::size_t elementBytes) {
  const auto position = globals().find(pointer);
  if (position == globals().end()) return;
  position->second->name = name;
  position->second->elementBytes = elementBytes;
}

void markWritten(void* pointer, std::size_t bytes) { setWritten(pointer, bytes, true); }
void markUnwritten(void* pointer, std::size_t bytes) { setWritten(pointer, bytes, false); }

std::uint64_t globalBytesRead() {
  std::uint64_t bytes = bytesReadBefore;
  for (const auto& [pointer, array] : globals()) bytes += array->bytesRead;
  return bytes;
}

}  // namespace nbody::executor::checker
