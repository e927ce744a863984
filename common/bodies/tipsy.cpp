#include "bodies/tipsy.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "base/output_file.hpp"
#include "base/text.hpp"

namespace nbody {

namespace {

constexpr std::int64_t kAtOnce = 16384;  // bodies in memory as the file has them: at most 768 KiB

/// Adds the \p count bodies of \p stride bytes that begin at \p offset.
template <ByteOrder order>
void readKind(const InputFile& file,
              std::int64_t offset,
              std::int64_t count,
              std::int64_t stride,
              FileBodies& bodies) {
  std::vector<unsigned char> buffer(std::min(count, kAtOnce) * stride);
  for (std::int64_t done = 0; done < count; done += kAtOnce) {
    const std::int64_t now = std::min(count - done, kAtOnce);
    file.read(offset + done * stride, buffer.data(), now * stride);
    for (std::int64_t i = 0; i < now; ++i) {
      const unsigned char* const b = buffer.data() + i * stride;  // the mass is first
      const auto number = [b](int k) -> double { return load<order, float>(b + 4 * k); };
      bodies.add({number(1), number(2), number(3), number(4), number(5), number(6), number(0)});
    }
  }
}

template <ByteOrder order>
void writeHeader(OutputFile& file, std::uint32_t count, double time) {
  unsigned char bytes[32] = {};
  storeWord<order>(bytes, std::bit_cast<std::uint64_t>(time));
  storeWord<order>(bytes + 8, count);
  storeWord<order>(bytes + 12, std::uint32_t{3});
  storeWord<order>(bytes + 20, count);  // all of them dark
  file.write(bytes, sizeof bytes);
}

/// \p number in single precision; refuses one that would become infinite.
float rounded(double number, int body, const OutputFile& file) {
  const float single = static_cast<float>(number);
  if (std::isfinite(single) || !std::isfinite(number)) return single;
  file.refuse(formatted(
      "body %d has %g, too large for tipsy's single precision; CSV has double", body, number));
}

/// Stores body \p i as a dark one; its potential, in the last word, stays as it is.
template <ByteOrder order>
void storeDark(unsigned char* bytes,
               const Bodies& bodies,
               int i,
               float softening,
               const OutputFile& file) {
  const Double4& p = bodies.positions[i];
  const Double4& v = bodies.velocities[i];
  const double numbers[] = {p.w, p.x, p.y, p.z, v.x, v.y, v.z};
  for (int k = 0; k < 7; ++k) storeFloat<order>(bytes + 4 * k, rounded(numbers[k], i, file));
  storeFloat<order>(bytes + 28, softening);
}

template <ByteOrder order>
void writeBodies(OutputFile& file, const Bodies& bodies, float softening) {
  constexpr int kBytes = 36;
  const int count = bodies.count();
  std::vector<unsigned char> buffer(std::min<std::int64_t>(count, kAtOnce) * kBytes);
  for (int done = 0; done < count; done += kAtOnce) {
    const int now = std::min<int>(count - done, kAtOnce);
    for (int i = 0; i < now; ++i)
      storeDark<order>(buffer.data() + i * kBytes, bodies, done + i, softening, file);
    file.write(buffer.data(), static_cast<std::size_t>(now) * kBytes);
  }
}

}  // namespace

Bodies readTipsyBodies(const InputFile& file, const TipsyHeader& header) {
  FileBodies bodies(file, header.count());
  std::int64_t offset = header.bytes;
  for (int kind = 0; kind < TipsyHeader::kKinds; ++kind) {
    const std::int64_t count = header.counts[kind];
    withOrder(header.order, [&]<ByteOrder order>() {
      readKind<order>(file, offset, count, kTipsyBytes[kind], bodies);
    });
    offset += count * kTipsyBytes[kind];
  }
  return bodies.take();
}

void writeTipsy(OutputFile& file,
                const Bodies& bodies,
                double time,
                double softening,
                ByteOrder order) {
  withOrder(order, [&]<ByteOrder o>() {
    writeHeader<o>(file, bodies.count(), time);
    writeBodies<o>(file, bodies, static_cast<float>(softening));
  });
}

}  // namespace nbody
