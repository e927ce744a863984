#include "bodies/tipsy.hpp"

#include <algorithm>
#include <cmath>
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

/// \p number in single precision; refuses one that would become infinite.
float rounded(double number, int body, const OutputFile& file) {
  const float single = static_cast<float>(number);
  if (std::isfinite(single) || !std::isfinite(number)) return single;
  file.refuse(formatted(
      "body %d has %g, too large for tipsy's single precision; CSV has double", body, number));
}

}  // namespace

Bodies readTipsyBodies(const InputFile& file, const TipsyHeader& header) {
  FileBodies bodies(file, header.count());
  std::int64_t offset = header.bytes;
  for (int kind = 0; kind < TipsyHeader::kKinds; ++kind) {
    readKind(file, header.order, offset, header.counts[kind], kTipsyBytes[kind], bodies);
    offset += header.counts[kind] * kTipsyBytes[kind];
  }
  return bodies.take();
}

void writeTipsy(OutputFile& file,
                const Bodies& bodies,
                double time,
                double softening,
                std::endian order) {
  const auto word = [=](float number) {
    return reordered(std::bit_cast<std::uint32_t>(number), order);
  };
  const int count = bodies.count();
  const std::int32_t all = reordered(count, order);  // of them dark
  const TipsyWords header = {reordered(time, order), all, reordered(3, order), {0, all, 0}, 0};
  file.write(&header, sizeof header);
  constexpr int kWords = 9;  // of a dark body; the last, its potential, is 0
  std::vector<std::uint32_t> buffer(std::min<std::int64_t>(count, kAtOnce) * kWords);
  for (int done = 0; done < count; done += kAtOnce) {
    const int now = std::min<int>(count - done, kAtOnce);
    for (int i = 0; i < now; ++i) {
      const Double4 &p = bodies.positions[done + i], &v = bodies.velocities[done + i];
      std::uint32_t* next = buffer.data() + i * kWords;
      for (double number : {p.w, p.x, p.y, p.z, v.x, v.y, v.z})
        *next++ = word(rounded(number, done + i, file));
      *next = word(static_cast<float>(softening));
    }
    file.write(buffer.data(), sizeof(std::uint32_t) * now * kWords);
  }
}

}  // namespace nbody
