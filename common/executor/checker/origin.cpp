// Who wrote a word, and what the host knew then.
#include "executor/checker/origin.hpp"

#include <bit>
#include <cstring>
#include <limits>

#include "executor/checker/arrays.hpp"
#include "executor/checker/running.hpp"

namespace nbody::executor::checker {

namespace {

struct HostReading {
  std::size_t allowed = std::numeric_limits<std::size_t>::max();
  std::size_t done = 0;
};
HostReading hostReading;

const char* (*aliasOf)(const void* pointer) = nullptr;
bool wordsAreKept = false;
std::vector<std::uint32_t>& kept() {
  static auto& words = *new std::vector<std::uint32_t>;  // arrays go to the very end
  return words;
}

// More than any exercise's results are; a program that writes more is not asked where they are.
constexpr std::size_t kMostKept = 1 << 16;

std::size_t wordsByKernels(const Array& array) {
  std::size_t words = 0;
  for (std::size_t word = 0; word < array.wordCount(); ++word)
    words += (array.written[word] & kByKernel) != 0;
  return words;
}

}  // namespace

Writers writersOf(const void* begin, std::size_t words, std::size_t stride) {
  Writers found;
  const char* address = static_cast<const char*>(begin);
  Array* array = nullptr;
  for (std::size_t k = 0; k < words; ++k, address += stride) {
    if (array == nullptr || !array->holds(address, kWordBytes)) array = arrayAround(address);
    const std::uint8_t written = array != nullptr && array->holds(address, kWordBytes)
                                     ? array->written[(address - array->begin) / kWordBytes]
                                     : 0;
    if ((written & kWholeWord) != kWholeWord) ++found.nobody;
    else if ((written & kByKernel) == 0) ++found.host;
    else if ((written & kAfterHost) != 0) ++found.kernelsAfterHost;
    else ++found.kernels;
  }
  return found;
}

void allowHostToRead(std::size_t bytes) {
  hostReading = {bytes, 0};
  kernelMarks = kByKernel;
}

void hostHasRead(std::size_t bytes) {
  hostReading.done += bytes;
  if (hostReading.done > hostReading.allowed) kernelMarks = kByKernel | kAfterHost;
}

void shareWithHost(void* begin) {
  Array* const array = arrayAround(static_cast<char*>(begin));
  if (array != nullptr && array->begin == begin) array->isHostsToo = true;
}

void noteHostsArrays() {
  std::size_t words = 0;
  for (const Array* array : globalArrays()) {
    if (!array->isHostsToo) continue;
    words += wordsByKernels(*array);
    keepWordsOf(*array);
  }
  if (words * kWordBytes > hostReading.allowed) kernelMarks = kByKernel | kAfterHost;
}

void setAlias(const char* (*alias)(const void*)) { aliasOf = alias; }

void keepWords() { wordsAreKept = true; }

void keepWordsOf(const Array& array) {
  if (!wordsAreKept || array.space != Space::global) return;
  for (std::size_t word = 0; word < array.bytes / kWordBytes; ++word) {
    if ((array.written[word] & kByKernel) == 0) continue;
    if (kept().size() >= kMostKept) return;
    std::uint32_t value = 0;
    const char* const at = array.begin + word * kWordBytes;
    std::memcpy(&value, aliasOf != nullptr ? aliasOf(at) : at, sizeof value);
    kept().push_back(value);
  }
}

std::vector<std::uint32_t> keptWords() {
  for (const Array* array : globalArrays()) keepWordsOf(*array);
  return kept();
}

}  // namespace nbody::executor::checker
