#include "diagnose/targets.hpp"

#include <algorithm>

namespace nbody {

Targets::Targets(const WrongForces& forces, const std::vector<int>& places, std::size_t most)
    : forces(forces) {
  const std::size_t n = std::min(most, places.size());
  for (std::size_t k = 0; k < n; ++k) {
    const int place = places[k * places.size() / n];
    bodies.push_back(forces.sample[place]);
    computed.push_back(forces.computed[place]);
    reference.push_back(forces.reference[place]);
  }
}

std::string rangesOf(const std::vector<int>& chosen,
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

bool Targets::match(const std::vector<Double4>& predicted) const {
  for (std::size_t k = 0; k < size(); ++k)
    if (!(distance(computed[k], predicted[k]) <= 2 * forces.tolerance * predicted[k].w))
      return false;
  return true;
}

bool Targets::areExplainedBy(const std::vector<Double4>& predicted) const {
  double most = 0;
  for (std::size_t k = 0; k < size(); ++k)
    most = std::max(most, distance(reference[k], predicted[k]) / reference[k].w);
  return most > 10 * forces.tolerance && match(predicted);
}

}  // namespace nbody
