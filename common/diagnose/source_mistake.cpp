#include <algorithm>
#include <numeric>
#include <set>

#include "diagnose/ranges.hpp"
#include "diagnose/source_counts.hpp"
#include "diagnose/targets.hpp"

namespace nbody {

/// "sources 768 and up are missing: last tile?, sources 0 to 255 are counted 2 times"
static std::string countWords(const std::vector<int>& counts) {
  std::vector<int> all(counts.size());
  std::iota(all.begin(), all.end(), 0);
  std::string text;
  bool alone = false;  // the only thing to say is that the last ones are missing
  for (int number : std::set<int>(counts.begin(), counts.end())) {
    if (number == 1) continue;
    std::vector<int> chosen;
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen), [&](int j) {
      return counts[j] == number;
    });
    if (!text.empty()) text += "; ";
    text += rangesOf(chosen, all, chosen.size() == 1 ? "source" : "sources");
    text += chosen.size() == 1 ? " is " : " are ";
    const bool oneRange = chosen.back() - chosen.front() + 1 == static_cast<int>(chosen.size());
    if (number != 0) text += "counted " + std::to_string(number) + " times";
    else text += "missing";
    alone = number == 0 && oneRange && chosen.back() == all.back() &&
            chosen.size() <= kLargestTile && text.find(';') == std::string::npos;
  }
  return text + (alone ? ": last tile?" : "");
}

std::string sourceMistake(const WrongForces& forces, const Targets& targets, const Targets& some) {
  for (bool each : {false, true}) {
    const std::vector<int> counts =
        sourceCounts(forces.bodies, forces.softening, some.bodies, some.computed, each);
    if (!counts.empty() &&
        explains(targets,
                 accelerationsFrom(counts, forces.bodies, forces.softening, targets.bodies),
                 forces.tolerance))
      return countWords(counts);
  }
  return "";
}

}  // namespace nbody
