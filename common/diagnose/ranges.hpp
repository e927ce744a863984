/// \file
/// Ranges of indices in words.
#pragma once

#include <string>
#include <vector>

namespace nbody {

/// "bodies 0 to 255, 512 and up": the elements of \p numbers at \p chosen, as ranges of neighbours
/// in \p numbers; "bodies 0, 8, 16, ... (125 of 1000)" from the fourth range on. Both rise.
inline std::string rangesOf(const std::vector<int>& chosen,
                            const std::vector<int>& numbers,
                            const std::string& noun) {
  constexpr int kMaxRanges = 3;
  const std::string count =
      " (" + std::to_string(chosen.size()) + " of " + std::to_string(numbers.size()) + ")";
  std::string text = noun;
  int ranges = 0;
  for (std::size_t first = 0; first < chosen.size();) {
    if (ranges == kMaxRanges) return text + ", ..." + count;
    std::size_t last = first;
    while (last + 1 < chosen.size() && chosen[last + 1] == chosen[last] + 1) ++last;
    text += (ranges++ == 0 ? " " : ", ") + std::to_string(numbers[chosen[first]]);
    const bool toTheEnd = chosen[last] + 1 == static_cast<int>(numbers.size());
    if (last > first && toTheEnd && chosen[first] > 0) text += " and up";
    else if (last > first) text += " to " + std::to_string(numbers[chosen[last]]);
    first = last + 1;
  }
  return text;
}

}  // namespace nbody
