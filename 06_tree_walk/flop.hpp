/// \file
/// FLOP of the two kinds of pulls, as GPU Gems 3 counts, and what a report says of them.
#pragma once

#include "host/octree.hpp"
#include "measure/timing.hpp"

namespace nbody {

constexpr int kLeafFlop = 20;  // a body's, or a cell's by its mass alone: interaction()
constexpr int kNodeFlop = 56;  // a cell's with its quadrupole: quadrupoleInteraction()

/// What an evaluation says of its tree, its pulls and \p more facts.
/// \param nodes    pulls of cells
/// \param sources  pulls of bodies
inline PhaseTimes treeParts(const PhaseClock& clock,
                            const Octree& tree,
                            double nodes,
                            double sources,
                            bool quadrupoles,
                            const std::vector<Metric>& more) {
  const double bodies = static_cast<double>(tree.order.size());
  const int nodeFlop = quadrupoles ? kNodeFlop : kLeafFlop;
  std::vector<Metric> facts = {{"cells", static_cast<double>(tree.cells.size())},
                               {"depth", static_cast<double>(tree.depth)},
                               {"groups", static_cast<double>(tree.groups.size())}};
  facts.insert(facts.end(), more.begin(), more.end());
  facts.insert(facts.end(),
               {{"nodes a body", nodes / bodies}, {"sources a body", sources / bodies}});
  return {clock.ms(),
          facts,
          nodes + sources,
          kLeafFlop * sources + nodeFlop * nodes,
          "at " + std::to_string(kLeafFlop) + " FLOP for a body's pull and " +
              std::to_string(nodeFlop) + " for a cell's, as GPU Gems 3 counts"};
}

}  // namespace nbody
