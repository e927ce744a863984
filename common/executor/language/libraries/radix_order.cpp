#include "executor/language/libraries/ranges.hpp"

#include <array>

namespace nbody::executor {

std::vector<std::ptrdiff_t> orderOfKeys(std::vector<std::uint64_t> keys) {
  constexpr int kDigitBits = 8;
  constexpr std::size_t kDigits = 1 << kDigitBits;
  std::vector<std::ptrdiff_t> order(keys.size()), nextOrder(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) order[i] = static_cast<std::ptrdiff_t>(i);
  std::vector<std::uint64_t> nextKeys(keys.size());
  for (int shift = 0; shift < 64; shift += kDigitBits) {
    std::array<std::size_t, kDigits> starts{};
    for (std::uint64_t key : keys) ++starts[key >> shift & (kDigits - 1)];
    bool isSorted = false;  // one digit has all keys
    std::size_t sum = 0;
    for (std::size_t& start : starts) {
      const std::size_t count = start;
      isSorted = isSorted || count == keys.size();
      start = sum;
      sum += count;
    }
    if (isSorted) continue;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const std::size_t place = starts[keys[i] >> shift & (kDigits - 1)]++;
      nextKeys[place] = keys[i];
      nextOrder[place] = order[i];
    }
    keys.swap(nextKeys);
    order.swap(nextOrder);
  }
  return order;
}

}  // namespace nbody::executor
