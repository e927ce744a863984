// Who wrote a word, and what the host knew then.
#include "executor/checker/origin.hpp"

#include <algorithm>
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

bool wordsAreKept = false;
// More than any exercise's results are; a program's output, which has them in the end, is limited.
constexpr std::size_t kMostKept = 1 << 18;

struct Kept {
  std::vector<std::uint32_t> written, brought;
};
Kept& kept() {
  static auto& words = *new Kept;  // the runtime copies to the very end
  return words;
}

void keep(std::vector<std::uint32_t>& words, const char* word) {
  std::uint32_t value = 0;
  std::memcpy(&value, word, sizeof value);
  if (words.size() < kMostKept) words.push_back(value);
}

/// Keeps those of the words from \p at of the array on that kernels have written; \p values: the
/// same words where they can be read.
void keepWrittenOf(const Array& array, std::size_t at, const char* values, std::size_t bytes) {
  if (!wordsAreKept || at % kWordBytes != 0) return;
  for (std::size_t byte = 0; byte + kWordBytes <= bytes; byte += kWordBytes)
    if ((array.written[(at + byte) / kWordBytes] & kByKernel) != 0)
      keep(kept().written, values + byte);
}

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

void copiedToHost(const void* to, const void* from, std::size_t bytes) {
  hostReading.done += bytes;
  if (hostReading.done > hostReading.allowed) kernelMarks = kByKernel | kAfterHost;
  const char* const source = static_cast<const char*>(from);
  const Array* const array = wordsAreKept ? arrayAround(source) : nullptr;
  if (array != nullptr && array->holds(source, bytes))
    keepWrittenOf(*array,
                  source - array->begin,
                  to != nullptr ? static_cast<const char*>(to) : source,
                  bytes);
}

void copiesFromHost(const void* from, std::size_t bytes) {
  if (!wordsAreKept) return;
  const char* const words = static_cast<const char*>(from);
  for (std::size_t byte = 0; byte + kWordBytes <= bytes; byte += kWordBytes)
    keep(kept().brought, words + byte);
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
    keepWrittenOf(*array, 0, array->begin, array->bytes);
  }
  if (words * kWordBytes > hostReading.allowed) kernelMarks = kByKernel | kAfterHost;
}

void keepWords() { wordsAreKept = true; }

std::vector<std::uint32_t> keptWords() {
  std::vector<std::uint32_t>& brought = kept().brought;
  std::sort(brought.begin(), brought.end());
  std::vector<std::uint32_t> own;
  for (const std::uint32_t word : kept().written)
    if (!std::binary_search(brought.begin(), brought.end(), word)) own.push_back(word);
  return own;
}

}  // namespace nbody::executor::checker
