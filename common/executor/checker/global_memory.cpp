// Global arrays with their red zones.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "executor/checker/arrays.hpp"
#include "executor/checker/check.hpp"
#include "executor/checker/checker.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::checker {

namespace {

constexpr std::size_t kAlignment = 256;  // as cudaMalloc's on a GPU

using Owned = std::unique_ptr<Array>;

struct Globals {
  std::mutex mutex;  // kernels allocate too
  std::map<void*, Owned> byBegin;
  std::vector<Owned> gone;  ///< kept while a launch runs, which may still use them
  std::uint64_t bytesReadBefore = 0;  ///< from arrays that no longer exist
};
Globals& globals() {
  static auto& all = *new Globals;  // never destroyed: programs free arrays at their very end
  return all;
}

void own(Owned array) {
  const std::lock_guard lock(globals().mutex);
  addArray(*array);
  Owned& place = globals().byBegin[array->begin];
  place = std::move(array);
}

/// Removes the array of \p begin from the lists. Returns its red zone; nothing if there is no array.
std::optional<std::size_t> disownAt(void* begin) {
  const std::lock_guard lock(globals().mutex);
  const auto position = globals().byBegin.find(begin);
  if (position == globals().byBegin.end()) return std::nullopt;
  Owned array = std::move(position->second);
  globals().byBegin.erase(position);
  forgetSitesOf(*array);
  globals().bytesReadBefore += array->bytesRead;
  removeArray(*array);
  const std::size_t redZone = array->redZone;
  if (severalThreads && currentThread.inKernel) globals().gone.push_back(std::move(array));
  return redZone;
}

std::size_t roundedUp(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

void* allocate(std::size_t bytes) {
  // The red zone is as large as the array, within limits, so that an index that is twice too large
  // still shows its array. The pages are reserved, never touched.
  const std::size_t redZone = roundedUp(std::clamp<std::size_t>(bytes, 4096, 1 << 20));
  auto* memory =
      static_cast<char*>(std::aligned_alloc(kAlignment, redZone + roundedUp(bytes) + redZone));
  if (memory == nullptr) return nullptr;
  char* begin = memory + redZone;
  auto array = std::make_unique<Array>(begin, bytes, Space::global,
                                       "an array of " + std::to_string(bytes) + " bytes");
  array->redZone = redZone;
  own(std::move(array));
  return begin;
}

void release(void* pointer) {
  if (const auto redZone = disownAt(pointer)) std::free(static_cast<char*>(pointer) - *redZone);
}

void adopt(void* begin, std::size_t bytes, std::size_t redZone, const std::string& name,
           bool written) {
  disown(begin);
  auto array = std::make_unique<Array>(static_cast<char*>(begin), bytes, Space::global, name);
  array->redZone = redZone;
  array->isDeclared = true;
  if (written) array->setWritten(0, bytes, true);
  own(std::move(array));
}

void disown(void* begin) { disownAt(begin); }

void forgetGoneArrays() {
  const std::lock_guard lock(globals().mutex);
  globals().gone.clear();
}

void describe(void* pointer, const std::string& name, std::size_t elementBytes,
              const char* allocatedIn, int allocatedLine) {
  const std::lock_guard lock(globals().mutex);
  const auto position = globals().byBegin.find(pointer);
  if (position == globals().byBegin.end()) return;
  position->second->name = name;
  position->second->elementBytes = elementBytes;
  position->second->allocatedIn = allocatedIn;
  position->second->allocatedLine = allocatedLine;
}

std::uint64_t globalBytesRead() {
  const std::lock_guard lock(globals().mutex);
  std::uint64_t bytes = globals().bytesReadBefore;
  for (const auto& [pointer, array] : globals().byBegin) bytes += array->bytesRead;
  return bytes;
}

}  // namespace nbody::executor::checker
