/// \file
/// FLOP of the pulls of bodies and cells, as GPU Gems 3 counts, and the report of an evaluation.
#pragma once

#include "cuda/real.hpp"
#include "measure/timing.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

constexpr int kLeafFlop = 20;  // for a body, or a cell as its mass alone: interaction()
constexpr int kNodeFlop = 53;  // for a cell with its quadrupole: quadrupoleInteraction()

/// Returns the report of an evaluation: metrics of the tree, numbers of pulls, FLOP.
/// \param bodies   number of bodies
/// \param metrics    metrics of the tree
/// \param nodes    number of pulls of cells
/// \param sources  number of pulls of bodies
inline PhaseTimes treeParts(const PhaseClock& clock,
                            double bodies,
                            std::vector<Metric> metrics,
                            double nodes,
                            double sources,
                            bool quadrupoles) {
  const int nodeFlop = quadrupoles ? kNodeFlop : kLeafFlop;
  metrics.insert(metrics.end(),
                 {{"nodes a body", nodes / bodies}, {"sources a body", sources / bodies}});
  return {clock.ms(),
          metrics,
          {},
          nodes + sources,
          kLeafFlop * sources + nodeFlop * nodes,
          "at " + std::to_string(kLeafFlop) + " FLOP for a body's pull and " +
              std::to_string(nodeFlop) + " for a cell's, as GPU Gems 3 counts"};
}

/// Returns the report of an evaluation with a walk: treeParts(), and what each group found.
/// \param metrics   metrics of the tree
/// \param groups  number of groups that walked
/// \param totals  written by WalkCounter
inline PhaseTimes walkParts(const PhaseClock& clock,
                            double bodies,
                            std::vector<Metric> metrics,
                            double groups,
                            const std::vector<unsigned long long>& totals,
                            bool quadrupoles) {
  metrics.insert(metrics.end(),
                 {{"nodes a group", totals[2] / groups},
                  {"leaves a group", totals[3] / groups},
                  {"opened a group", totals[4] / groups}});
  return treeParts(clock, bodies, metrics, totals[0], totals[1], quadrupoles);
}

}  // namespace nbody::inline NBODY_PRECISION::walk
