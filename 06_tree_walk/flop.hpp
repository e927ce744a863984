/// \file
/// FLOP of the two kinds of pulls, as GPU Gems 3 counts, and what a report says of a walk.
#pragma once

#include "measure/timing.hpp"

namespace nbody::walk {

constexpr int kLeafFlop = 20;  // a body's, or a cell's by its mass alone: interaction()
constexpr int kNodeFlop = 53;  // a cell's with its quadrupole: quadrupoleInteraction()

/// Returns the report of an evaluation: its tree and its pulls.
/// \param bodies   N
/// \param facts    of the tree
/// \param nodes    pulls of cells
/// \param sources  pulls of bodies
inline PhaseTimes treeParts(const PhaseClock& clock,
                            double bodies,
                            std::vector<Metric> facts,
                            double nodes,
                            double sources,
                            bool quadrupoles) {
  const int nodeFlop = quadrupoles ? kNodeFlop : kLeafFlop;
  facts.insert(facts.end(),
               {{"nodes a body", nodes / bodies}, {"sources a body", sources / bodies}});
  return {clock.ms(),
          facts,
          {},
          nodes + sources,
          kLeafFlop * sources + nodeFlop * nodes,
          "at " + std::to_string(kLeafFlop) + " FLOP for a body's pull and " +
              std::to_string(nodeFlop) + " for a cell's, as GPU Gems 3 counts"};
}

/// Returns the report of an evaluation: its tree and its walk.
/// \param facts   of the tree
/// \param groups  that have walked
/// \param totals  as WalkCounter leaves them
inline PhaseTimes walkParts(const PhaseClock& clock,
                            double bodies,
                            std::vector<Metric> facts,
                            double groups,
                            const std::vector<unsigned long long>& totals,
                            bool quadrupoles) {
  facts.insert(facts.end(),
               {{"nodes a group", totals[2] / groups},
                {"leaves a group", totals[3] / groups},
                {"opened a group", totals[4] / groups}});
  return treeParts(clock, bodies, facts, totals[0], totals[1], quadrupoles);
}

}  // namespace nbody::walk
