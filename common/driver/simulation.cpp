#include "program/force_parts.hpp"

#include <cstdio>

#include "measure/timing.hpp"
#include "program/simulation.hpp"

namespace nbody {

std::optional<ForceParts> measureParts(Simulation& simulation, int repeats, bool timed) {
  std::vector<ForceParts> runs;
  for (int i = 0; i < (timed ? repeats : 1); ++i) {
    auto parts = simulation.computeForcesInParts();
    if (!parts) return std::nullopt;
    runs.push_back(*parts);
  }
  ForceParts result = runs.back();
  if (!timed) result.ms.clear();
  for (std::size_t k = 0; k < result.ms.size(); ++k) {
    std::vector<double> samples;
    for (const ForceParts& parts : runs) samples.push_back(parts.ms[k].value);
    result.ms[k].value = summarize(samples).median;
  }
  return result;
}

void printParts(const ForceParts& parts) {
  for (const Figure& part : parts.ms)
    std::printf("  %-16s %.4g ms\n", part.name.c_str(), part.value);
  for (const Figure& fact : parts.facts) std::printf("%-18s %.4g\n", fact.name.c_str(), fact.value);
}

}  // namespace nbody
