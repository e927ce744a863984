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
constexpr int kSmallestShare =
    8192;  // a pass over so many bodies takes three times as long as starting a thread

RootCube cubeAround(const std::vector<Double4>& positions, int threads) {
  const int count = static_cast<int>(positions.size());
  Box whole = tightBox(positions.data(), 1);
  std::mutex mutex;
  parallelFor(count, kSmallestShare, threads, [&](int begin, int end) {
    const Box box = tightBox(positions.data() + begin, end - begin);
    const std::lock_guard lock(mutex);
    whole.add(box);
  });
  return {whole.lower, whole.side()};
}

/// Runs one stable pass of a radix sort, from \p from to \p to, by the bits of the keys from \p
/// shift on. Each share of the bodies counts its digits, then places them.
void sortByDigit(const KeyedBody* from, KeyedBody* to, int count, int shift, int shares) {
  const auto first = [=](int share) { return static_cast<long long>(count) * share / shares; };
  const auto digitOf = [=](const KeyedBody& keyed) { return keyed.key >> shift & (kRadix - 1); };
  std::vector<std::array<int, kRadix>> places(shares);
  const auto forShares = [&](auto body) {
    parallelForEach(shares, 1, shares, [&](int share) {
      for (auto k = first(share); k < first(share + 1); ++k)
        body(from[k], places[share][digitOf(from[k])]++);
    });
  };
  forShares([](const KeyedBody&, int) {});
  int place = 0;
  for (int digit = 0; digit < kRadix; ++digit)
    for (int share = 0; share < shares; ++share)
      place += std::exchange(places[share][digit], place);
  forShares([=](const KeyedBody& keyed, int place) { to[place] = keyed; });
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
  parallelForEach(count, kSmallestShare, threads, [&](int i) {
    const Double4 body = positions[i];
    keyed[i] = {hilbertKey(gridPlace(body.x, lower.x, cellsPerLength),
                           gridPlace(body.y, lower.y, cellsPerLength),
                           gridPlace(body.z, lower.z, cellsPerLength)),
                i};
  });
  const int shares = std::clamp(count / kSmallestShare, 1, threadCount(threads));
  for (int shift = 0; shift < 3 * kKeyLevels; shift += kRadixBits) {
    sortByDigit(keyed.get(), sorted.get(), count, shift, shares);
    std::swap(keyed, sorted);
  }
  return keyed;
}

}  // namespace nbody::inline NBODY_PRECISION::walk
