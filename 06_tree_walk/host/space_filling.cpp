#include "06_tree_walk/host/space_filling.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "base/parallel.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

namespace {

constexpr int kRadixBits = 11;  // 6 passes over 63 bits; a pass's counters, 8 KiB, stay in L1
constexpr int kRadix = 1 << kRadixBits;
constexpr int kSmallestPart =
    8192;  // a pass over so many bodies takes three times as long as starting a thread

RootCube cubeAround(const std::vector<Double4>& positions, int threads) {
  const int count = static_cast<int>(positions.size());
  Box whole = tightBox(positions.data(), 1);
  std::mutex mutex;
  parallelFor(count, kSmallestPart, threads, [&](int begin, int end) {
    const Box box = tightBox(positions.data() + begin, end - begin);
    const std::lock_guard lock(mutex);
    whole.add(box);
  });
  return {whole.lower, whole.side()};
}

/// Runs one stable pass of a radix sort, from \p from to \p to, by the bits of the keys from \p
/// shift on. Each part of the bodies counts its digits, then places them.
void sortByDigit(const KeyedBody* from, KeyedBody* to, int count, int shift, int parts) {
  const auto first = [=](int part) { return static_cast<long long>(count) * part / parts; };
  const auto digitOf = [=](const KeyedBody& keyed) { return keyed.key >> shift & (kRadix - 1); };
  std::vector<std::array<int, kRadix>> places(parts);
  const auto forParts = [&](auto body) {
    parallelForEach(parts, 1, parts, [&](int part) {
      for (auto k = first(part); k < first(part + 1); ++k)
        body(from[k], places[part][digitOf(from[k])]++);
    });
  };
  forParts([](const KeyedBody&, int) {});
  int place = 0;
  for (int digit = 0; digit < kRadix; ++digit)
    for (int part = 0; part < parts; ++part) place += std::exchange(places[part][digit], place);
  forParts([=](const KeyedBody& keyed, int place) { to[place] = keyed; });
}

}  // namespace

std::uint64_t hilbertKey(unsigned x, unsigned y, unsigned z) {
  static constexpr HilbertTurns kTurns = hilbertTurns();
  return hilbertKey(kTurns, x, y, z);
}

std::unique_ptr<KeyedBody[]> spaceFillingOrder(const std::vector<Double4>& positions,
                                               int threads,
                                               const RootCube* root) {
  const int count = static_cast<int>(positions.size());
  const RootCube cube = root != nullptr ? *root : cubeAround(positions, threads);
  const double3 lower = cube.lower;
  const double cellsPerLength = (1 << kKeyLevels) / cube.side;
  // Not std::vector, because one thread would fill it with zeros first.
  auto keyed = std::make_unique_for_overwrite<KeyedBody[]>(count);
  auto sorted = std::make_unique_for_overwrite<KeyedBody[]>(count);
  parallelForEach(count, kSmallestPart, threads, [&](int i) {
    const Double4 body = positions[i];
    keyed[i] = {hilbertKey(gridPlace(body.x, lower.x, cellsPerLength),
                           gridPlace(body.y, lower.y, cellsPerLength),
                           gridPlace(body.z, lower.z, cellsPerLength)),
                i};
  });
  const int parts = std::clamp(count / kSmallestPart, 1, threadCount(threads));
  for (int shift = 0; shift < 3 * kKeyLevels; shift += kRadixBits) {
    sortByDigit(keyed.get(), sorted.get(), count, shift, parts);
    std::swap(keyed, sorted);
  }
  return keyed;
}

}  // namespace nbody::inline NBODY_PRECISION::walk
