#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "bodies/byte_order.hpp"
#include "bodies/tipsy.hpp"

namespace nbody {

namespace {

constexpr std::int64_t kHeader = sizeof(TipsyWords);
constexpr std::int64_t kShortHeader = 28;

std::endian other(std::endian order) {
  return order == std::endian::little ? std::endian::big : std::endian::little;
}

/// The counts in the header, read in one order or the other.
struct Counts {
  std::int64_t all;
  std::int64_t kinds[TipsyHeader::kKinds];

  Counts(const TipsyWords& header, std::endian order) : all(reordered(header.bodies, order)) {
    for (int k = 0; k < TipsyHeader::kKinds; ++k) kinds[k] = reordered(header.kinds[k], order);
  }

  bool agree() const {
    return kinds[0] >= 0 && kinds[1] >= 0 && kinds[2] >= 0 && kinds[0] + kinds[1] + kinds[2] == all;
  }

  std::int64_t bytes() const {
    std::int64_t sum = 0;
    for (int k = 0; k < TipsyHeader::kKinds; ++k) sum += kinds[k] * kTipsyBytes[k];
    return sum;
  }

  bool fit(std::int64_t size) const {
    return agree() && (size == kHeader + bytes() || size == kShortHeader + bytes());
  }

  std::string text() const {
    return std::to_string(kinds[0]) + " gas, " + std::to_string(kinds[1]) + " dark and " +
           std::to_string(kinds[2]) + " star bodies";
  }
};

/// Says why \p counts are not those of the file.
[[noreturn]] void refuseCounts(const InputFile& file, const Counts& counts) {
  if (!counts.agree())
    file.refuse("its header has " + counts.text() + ", but says that they are " +
                std::to_string(counts.all));
  const std::int64_t expected = kHeader + counts.bytes();
  file.refuse(std::string(file.size() < expected ? "truncated" : "too long") + ": its header's " +
              counts.text() + " need " + std::to_string(expected) + " bytes, the file has " +
              std::to_string(file.size()));
}

/// Whether the numbers of the first bodies of a kind are all 0 or of a size that some choice of
/// units gives. Single precision read in the wrong order is not, but for a chance of one half a
/// number.
bool plausible(const std::vector<std::uint32_t>& bodies, std::int64_t words, std::endian order) {
  for (std::size_t at = 0; at < bodies.size(); at += words)
    for (int k = 0; k < 7; ++k) {
      const float size = std::abs(std::bit_cast<float>(reordered(bodies[at + k], order)));
      if (!(size == 0 || (size >= 1e-20f && size <= 1e20f))) return false;
    }
  return true;
}

void refuseMixedOrders(const InputFile& file, const TipsyHeader& header) {
  constexpr std::int64_t kSample = 1000;
  std::int64_t offset = header.bytes;
  for (int kind = 0; kind < TipsyHeader::kKinds; ++kind) {
    const std::int64_t words = kTipsyBytes[kind] / 4;
    std::vector<std::uint32_t> sample(std::min(header.counts[kind], kSample) * words);
    file.read(offset, sample.data(), 4 * sample.size());
    if (!plausible(sample, words, header.order) && plausible(sample, words, other(header.order)))
      file.refuse(header.order == std::endian::big
                      ? "mixed endianness: its header is big-endian, its bodies are little-endian"
                      : "mixed endianness: its header is little-endian, its bodies are big-endian");
    offset += header.counts[kind] * kTipsyBytes[kind];
  }
}

/// Sets the softening of the dark bodies or, without any, of the stars, from 1,000 of them: a program may have
/// written other things in its place, numbers of bodies for example.
void readSoftening(const InputFile& file, TipsyHeader& header) {
  constexpr std::int64_t kSample = 1000;
  const int kind = header.counts[1] > 0 ? 1 : 2;
  const std::int64_t at = kind == 1 ? 7 * 4 : 9 * 4;
  const std::int64_t count = header.counts[kind];
  std::int64_t first = header.bytes;
  for (int k = 0; k < kind; ++k) first += header.counts[k] * kTipsyBytes[k];
  const auto wordOf = [&](std::int64_t body) {
    std::uint32_t word;
    file.read(first + body * kTipsyBytes[kind] + at, &word, sizeof word);
    return reordered(word, header.order);
  };
  if (count == 0) return;
  const std::uint32_t word = wordOf(0);
  const std::int64_t sample = std::min(count, kSample);
  for (std::int64_t k = 1; k < sample && !header.softeningsDiffer; ++k)
    header.softeningsDiffer = wordOf(k * (count - 1) / (sample - 1)) != word;
  header.softening = header.softeningsDiffer ? 0 : std::bit_cast<float>(word);
}

}  // namespace

bool looksLikeTipsy(const InputFile& file) {
  if (file.size() < kShortHeader) return false;
  std::int32_t dimensions;
  file.read(offsetof(TipsyWords, dimensions), &dimensions, sizeof dimensions);
  return dimensions == 3 || dimensions == reordered(3, other(std::endian::native));
}

bool fitsTipsy(const InputFile& file) {
  if (!looksLikeTipsy(file)) return false;
  TipsyWords words = {};
  file.read(0, &words, std::min(file.size(), kHeader));
  const auto order = reordered(words.dimensions, std::endian::little) == 3 ? std::endian::little
                                                                           : std::endian::big;
  return Counts(words, order).fit(file.size());
}

TipsyHeader readTipsyHeader(const InputFile& file) {
  if (file.size() < kShortHeader)
    file.refuse("truncated: a tipsy header has 32 bytes, the file has " +
                std::to_string(file.size()));
  TipsyWords words = {};
  file.read(0, &words, std::min(file.size(), kHeader));
  const std::int32_t dimensions = reordered(words.dimensions, std::endian::little);
  if (!looksLikeTipsy(file))
    file.refuse("neither tipsy nor CSV: as a tipsy header it has " + std::to_string(dimensions) +
                " dimensions, not 3, in either order of bytes");
  TipsyHeader header = {};
  header.order = dimensions == 3 ? std::endian::little : std::endian::big;
  const Counts counts(words, header.order);
  if (!counts.fit(file.size())) {
    if (Counts(words, other(header.order)).fit(file.size()))
      file.refuse(
          "mixed endianness: its header's dimensions and its counts are in different orders of "
          "bytes");
    refuseCounts(file, counts);
  }
  header.bytes = file.size() - counts.bytes();
  // The padding of a header of 32 bytes is 0 as a rule. A file that is 4 bytes short of one would
  // otherwise pass as one of 28, with every number of its bodies one place off.
  if (header.bytes == kShortHeader && counts.all > 0 && words.padding == 0)
    refuseCounts(file, counts);
  header.time = reordered(words.time, header.order);
  if (!std::isfinite(header.time)) file.refuse("its header's time is not finite");
  std::copy_n(counts.kinds, TipsyHeader::kKinds, header.counts);
  refuseMixedOrders(file, header);
  readSoftening(file, header);
  return header;
}

}  // namespace nbody
