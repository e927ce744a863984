#include "bodies/tipsy.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/output_file.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "bodies/byte_order.hpp"

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

/// Returns whether the numbers of the first bodies of a kind are all 0 or of a size that some
/// choice of units gives. Single precision read in the wrong byte order fails this test, except
/// with a probability of one half per number.
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

/// Says that the file has not three dimensions: other numbers of them are tipsy too, if the counts fit.
[[noreturn]] void refuseDimensions(const InputFile& file, const TipsyWords& words) {
  for (const std::endian order : {std::endian::big, std::endian::little}) {
    const std::int32_t dimensions = reordered(words.dimensions, order);
    const Counts counts(words, order);
    const bool few = (dimensions == 1 || dimensions == 2) && counts.agree();
    if (few || counts.fit(file.size()))
      file.refuse("it is a tipsy file with " + std::to_string(dimensions) +
                  " dimensions, not 3; bodies here have x, y and z");
  }
  file.refuse("neither tipsy nor CSV: as a tipsy header it has " +
              std::to_string(reordered(words.dimensions, std::endian::little)) +
              " dimensions, not 3, in either order of bytes");
}

constexpr std::int64_t kAtOnce = 1 << 18;  // bodies in memory as the file has them: at most 12 MiB
constexpr int kBodiesOfThread = 8192;  // at least

/// Sets \p count bodies from number \p place on, which begin at \p offset in the file with \p stride bytes each.
void readKind(const InputFile& file, std::endian order, std::int64_t offset, std::int64_t place,
              std::int64_t count, std::int64_t stride, FileBodies& bodies) {
  std::vector<std::uint32_t> buffer(std::min(count, kAtOnce) * stride / 4);
  for (std::int64_t done = 0; done < count; done += kAtOnce) {
    const std::int64_t now = std::min(count - done, kAtOnce);
    file.read(offset + done * stride, buffer.data(), now * stride);
    parallelForEach(static_cast<int>(now), kBodiesOfThread, [&](int i) {
      const std::uint32_t* const b = buffer.data() + i * stride / 4;  // the mass is first
      const auto number = [=](int k) -> double {
        return std::bit_cast<float>(reordered(b[k], order));
      };
      bodies.set(place + done + i,
                 {number(1), number(2), number(3), number(4), number(5), number(6), number(0)});
    });
  }
}

/// \p number in single precision; one that would become infinite is an error.
float rounded(double number, std::int64_t place) {
  const float single = static_cast<float>(number);
  if (std::isfinite(single) || !std::isfinite(number)) return single;
  throw std::range_error(
      formatted("body %lld has %g, too large for tipsy's single precision; CSV has double",
                static_cast<long long>(place), number));
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
  if (!looksLikeTipsy(file)) refuseDimensions(file, words);
  TipsyHeader header = {};
  header.order = reordered(words.dimensions, std::endian::little) == 3 ? std::endian::little
                                                                       : std::endian::big;
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
  // Time steps vanish next to such a time: it is not a time, or the file is damaged.
  constexpr double kLatest = std::numeric_limits<float>::max();
  if (!(std::abs(header.time) <= kLatest))
    file.refuse(std::isfinite(header.time)
                    ? formatted("its header's time of %g is not from -%g to %g", header.time,
                                kLatest, kLatest)
                    : "its header's time is not finite");
  std::copy_n(counts.kinds, TipsyHeader::kKinds, header.counts);
  refuseMixedOrders(file, header);
  readSoftening(file, header);
  return header;
}

Bodies readTipsyBodies(const InputFile& file, const TipsyHeader& header, std::int64_t first,
                       std::int64_t count) {
  FileBodies bodies(file, count, first);
  std::int64_t offset = header.bytes, begin = 0;  // start of this kind, in bytes and bodies
  for (int kind = 0; kind < TipsyHeader::kKinds; ++kind) {
    const std::int64_t stride = kTipsyBytes[kind], end = begin + header.counts[kind];
    const std::int64_t from = std::clamp(first, begin, end);
    const std::int64_t to = std::clamp(first + count, begin, end);
    readKind(file, header.order, offset + (from - begin) * stride, from - first, to - from, stride,
             bodies);
    offset += header.counts[kind] * stride;
    begin = end;
  }
  return bodies.take();
}

TipsyWords tipsyHeader(int count, double time, std::endian order) {
  const std::int32_t all = reordered(count, order);  // all are dark
  return {reordered(time, order), all, reordered(3, order), {0, all, 0}, 0};
}

std::vector<std::uint32_t> tipsyBodies(const Bodies& bodies, int begin, int end, std::int64_t place,
                                       double softening, std::endian order) {
  const auto word = [=](float number) {
    return reordered(std::bit_cast<std::uint32_t>(number), order);
  };
  constexpr int kWords = kTipsyBytes[1] / 4;  // the last, its potential, is 0
  std::vector<std::uint32_t> words(static_cast<std::size_t>(end - begin) * kWords);
  parallelForEach(end - begin, kBodiesOfThread, [&](int k) {
    const Double4 &p = bodies.positions[begin + k], &v = bodies.velocities[begin + k];
    std::uint32_t* to = words.data() + static_cast<std::size_t>(k) * kWords;
    for (double number : {p.w, p.x, p.y, p.z, v.x, v.y, v.z})
      *to++ = word(rounded(number, place + k));
    *to = word(static_cast<float>(softening));
  });
  return words;
}

void writeTipsy(OutputFile& file, const Bodies& bodies, double time, double softening,
                std::endian order) {
  const int count = bodies.count();
  const TipsyWords header = tipsyHeader(count, time, order);
  file.write(&header, sizeof header);
  try {
    for (int done = 0; done < count; done += kAtOnce) {
      const int end = std::min<std::int64_t>(count, done + kAtOnce);
      const auto words = tipsyBodies(bodies, done, end, done, softening, order);
      file.write(words.data(), sizeof(words[0]) * words.size());
    }
  } catch (const std::range_error& error) {
    file.refuse(error.what());
  }
}

}  // namespace nbody
