/// \file
/// FLOP of the two kinds of pulls, as GPU Gems 3 counts.
#pragma once

#include <string>

namespace nbody {

constexpr int kLeafFlop = 20;  // a body's, or a cell's by its mass alone: interaction()
constexpr int kNodeFlop = 56;  // a cell's with its quadrupole: quadrupoleInteraction()

/// \param nodeFlop  kNodeFlop or kLeafFlop
inline std::string treeFlopConvention(int nodeFlop) {
  return "at " + std::to_string(kLeafFlop) + " FLOP for a body's pull and " +
         std::to_string(nodeFlop) + " for a cell's, as GPU Gems 3 counts";
}

}  // namespace nbody
