#include "bodies/tipsy.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "base/output_file.hpp"
#include "base/text.hpp"
#include "bodies/byte_order.hpp"

namespace nbody {

namespace {

constexpr std::int64_t kAtOnce = 16384;  // bodies in memory as the file has them: at most 768 KiB

/// Adds the \p count bodies of \p stride bytes that begin at \p offset.
void readKind(const InputFile& file,
              std::endian order,
              std::int64_t offset,
              std::int64_t count,
              std::int64_t stride,
              FileBodies& bodies) {
  std::vector<std::uint32_t> buffer(std::min(count, kAtOnce) * stride / 4);
  for (std::int64_t done = 0; done < count; done += kAtOnce) {
    const std::int64_t now = std::min(count - done, kAtOnce);
    file.read(offset + done * stride, buffer.data(), now * stride);
    for (std::int64_t i = 0; i < now; ++i) {
      const std::uint32_t* const b = buffer.data() + i * stride / 4;  // the mass is first
      const auto number = [=](int k) -> double {
        return std::bit_cast<float>(reordered(b[k], order));
      };
      bodies.add({number(1), number(2), number(3), number(4), number(5), number(6), number(0)});
    }
  }
}

/// \p number in single precision; one that would become infinite is an error.
float rounded(double number, std::int64_t place) {
  const float single = static_cast<float>(number);
  if (std::isfinite(single) || !std::isfinite(number)) return single;
  throw std::range_error(
      formatted("body %lld has %g, too large for tipsy's single precision; CSV has double",
                static_cast<long long>(place),
                number));
}

}  // namespace

Bodies readTipsyBodies(const InputFile& file,
                       const TipsyHeader& header,
                       std::int64_t first,
                       std::int64_t count) {
  FileBodies bodies(file, count, first);
  std::int64_t offset = header.bytes, begin = 0;  // of this kind, in bytes and bodies
  for (int kind = 0; kind < TipsyHeader::kKinds; ++kind) {
    const std::int64_t stride = kTipsyBytes[kind], end = begin + header.counts[kind];
    const std::int64_t from = std::clamp(first, begin, end);
    const std::int64_t to = std::clamp(first + count, begin, end);
    readKind(file, header.order, offset + (from - begin) * stride, to - from, stride, bodies);
    offset += header.counts[kind] * stride;
    begin = end;
  }
  return bodies.take();
}

TipsyWords tipsyHeader(int count, double time, std::endian order) {
  const std::int32_t all = reordered(count, order);  // of them dark
  return {reordered(time, order), all, reordered(3, order), {0, all, 0}, 0};
}

std::vector<std::uint32_t> tipsyBodies(const Bodies& bodies,
                                       int begin,
                                       int end,
                                       std::int64_t place,
                                       double softening,
                                       std::endian order) {
  const auto word = [=](float number) {
    return reordered(std::bit_cast<std::uint32_t>(number), order);
  };
  constexpr int kWords = kTipsyBytes[1] / 4;  // the last, its potential, is 0
  std::vector<std::uint32_t> words(static_cast<std::size_t>(end - begin) * kWords);
  std::uint32_t* next = words.data();
  for (int i = begin; i < end; ++i, next += kWords) {
    const Double4 &p = bodies.positions[i], &v = bodies.velocities[i];
    std::uint32_t* to = next;
    for (double number : {p.w, p.x, p.y, p.z, v.x, v.y, v.z})
      *to++ = word(rounded(number, place + i - begin));
    *to = word(static_cast<float>(softening));
  }
  return words;
}

void writeTipsy(OutputFile& file,
                const Bodies& bodies,
                double time,
                double softening,
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
