// Global arrays with what surrounds them.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>

#include "executor/checker/arrays.hpp"
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
  for (std::size_t byte = begin; byte < begin + bytes; ++byte) {
    std::uint8_t& bits = array->written[byte / kWordBytes];
    const std::uint8_t bit = 1u << byte % kWordBytes;
    bits = written ? bits | bit : bits & ~bit;
  }
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
  bytesReadBefore += array.bytesRead;
  removeArray(array);
  std::free(array.begin - array.redZone);
  globals().erase(position);
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
