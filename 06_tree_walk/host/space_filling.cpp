#include "host/space_filling.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <utility>

#include "base/parallel.hpp"

namespace nbody {

// Hilbert's curve, not Morton's, which leaps: neighbours on it are neighbours in space, so that
// groups side by side in a warp open nearly the same cells. Both cost the sort the same.

namespace {

constexpr int kRadixBits = 11;  // 6 passes over 63 bits; a pass's counters, 8 KiB, stay in L1
constexpr int kRadix = 1 << kRadixBits;
constexpr int kSmallestShare = 8192;  // bodies: 0.07 ms of a pass, and a thread starts in 0.02

/// What one level of the curve does to an octant.
struct Turn {
  std::uint8_t digit;  ///< place of the octant along the curve
  std::uint8_t next;  ///< orientation of the curve within it
};

constexpr unsigned rotateLeft(unsigned bits, int by) { return (bits << by | bits >> (3 - by)) & 7; }

/// The turns by orientation and octant (bits x, y, z). An orientation is the corner where the curve
/// enters and the axis along which it leaves, after Hamilton, "Compact Hilbert Indices" (2006).
constexpr std::array<std::array<Turn, 8>, 24> hilbertTurns() {
  std::array<std::array<Turn, 8>, 24> turns{};
  for (unsigned state = 0; state < 24; ++state) {
    const unsigned entry = state / 3;
    const int axis = state % 3;
    const int turn = (axis + 1) % 3;
    for (unsigned place = 0; place < 8; ++place) {
      const unsigned gray = place ^ place >> 1;
      const unsigned octant = rotateLeft(gray, turn) ^ entry;
      const unsigned before = place == 0 ? 0 : (place - 1) & ~1u;
      const unsigned childEntry = before ^ before >> 1;
      const unsigned ones = place == 0 ? 0 : std::countr_one(place % 2 ? place : place - 1);
      const unsigned nextEntry = entry ^ rotateLeft(childEntry, turn);
      const unsigned nextAxis = (axis + ones + 1) % 3;
      turns[state][octant] = {static_cast<std::uint8_t>(place),
                              static_cast<std::uint8_t>(nextEntry * 3 + nextAxis)};
    }
  }
  return turns;
}

Box around(const std::vector<Double4>& positions, int threads) {
  const int count = static_cast<int>(positions.size());
  Box whole = tightBox(positions.data(), 1);
  std::mutex mutex;
  parallelFor(count, kSmallestShare, threads, [&](int begin, int end) {
    const Box box = tightBox(positions.data() + begin, end - begin);
    const std::lock_guard lock(mutex);
    whole.add(box);
  });
  return whole;
}

/// A coordinate's place on a grid of 2^21 cells a side; 0 for NaN, which comes of a side of 0.
unsigned gridPlace(double coordinate, double lower, double cellsPerLength) {
  const double place = (coordinate - lower) * cellsPerLength;
  if (!(place > 0)) return 0;
  return static_cast<unsigned>(std::min(place, double{(1 << kKeyLevels) - 1}));
}

/// One pass of a radix sort, stable: \p from in the order of its keys' bits from \p shift on to
/// \p to. Each share of the bodies counts its digits, then places them.
void sortByDigit(const KeyedBody* from, KeyedBody* to, int count, int shift, int shares) {
  const auto first = [=](int share) { return static_cast<long long>(count) * share / shares; };
  const auto digitOf = [=](const KeyedBody& keyed) { return keyed.key >> shift & (kRadix - 1); };
  std::vector<std::array<int, kRadix>> places(shares);
  const auto forShares = [&](auto body) {
    parallelFor(shares, 1, shares, [&](int begin, int end) {
      for (int share = begin; share < end; ++share)
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
  static constexpr auto kTurns = hilbertTurns();
  std::uint64_t key = 0;
  unsigned state = 0;
  for (int bit = kKeyLevels - 1; bit >= 0; --bit) {
    const Turn turn = kTurns[state][(x >> bit & 1) << 2 | (y >> bit & 1) << 1 | (z >> bit & 1)];
    key = key << 3 | turn.digit;
    state = turn.next;
  }
  return key;
}

std::unique_ptr<KeyedBody[]> spaceFillingOrder(const std::vector<Double4>& positions, int threads) {
  const int count = static_cast<int>(positions.size());
  const Box box = around(positions, threads);
  const double cellsPerLength = (1 << kKeyLevels) / box.side();
  // Not std::vector, which one thread would fill with zeros first.
  auto keyed = std::make_unique_for_overwrite<KeyedBody[]>(count);
  auto sorted = std::make_unique_for_overwrite<KeyedBody[]>(count);
  parallelFor(count, kSmallestShare, threads, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Double4 body = positions[i];
      keyed[i] = {hilbertKey(gridPlace(body.x, box.lower.x, cellsPerLength),
                             gridPlace(body.y, box.lower.y, cellsPerLength),
                             gridPlace(body.z, box.lower.z, cellsPerLength)),
                  i};
    }
  });
  const int shares = std::clamp(count / kSmallestShare, 1, threadCount(threads));
  for (int shift = 0; shift < 3 * kKeyLevels; shift += kRadixBits) {
    sortByDigit(keyed.get(), sorted.get(), count, shift, shares);
    std::swap(keyed, sorted);
  }
  return keyed;
}

}  // namespace nbody
