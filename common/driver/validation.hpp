/// \file
/// Checks whether a run fits the machine, and tells what is wrong with its forces.
#pragma once

#include <string>

#include "driver/run_options.hpp"
#include "driver/simulation.hpp"
#include "physics/force_error.hpp"

namespace nbody {

struct Program;

/// Throws BadInput if the bodies need more memory of the host or the device than is free.
void checkMemory(const RunOptions& options, const Program& program);

/// Compares the forces that \p simulation has just computed from poisoned accelerations with FP64. If they
/// are wrong, computes them once more for the hint. Otherwise computes and compares them again until the
/// evaluation number \p evaluations: the error is of that one.
/// \param bodies       the bodies that it holds, rounded to its precision, so that the error is only that of its
///                     arithmetic. They are on the first process, and so is the result
/// \param evaluations  2 for a step that keeps state, whose first evaluation may differ from all later ones
ForceError checkForces(Simulation& simulation, const Bodies& bodies, double softening,
                       double unitRoundoff, ErrorBound approximation = {}, int evaluations = 1);
/// Checks the forces of the bodies that \p simulation holds, and downloads them after its forces.
ForceError checkForces(Simulation& simulation, double softening, double unitRoundoff,
                       ErrorBound approximation = {});

/// Tries the settings of \p options.ablations() in turn, each on as many of \p bodies as it names. Returns one
/// line: the last setting with correct forces, the first with wrong forces, and what these look like. Empty if
/// all are correct, or there are none.
std::string failedAblation(const Program& program, const StepOptions& options, const Bodies& bodies,
                           double softening, double unitRoundoff);

/// Names the first body whose position or velocity is not finite, and counts the others; empty if all are.
/// \param first  number of the first of \p bodies
std::string notFinite(const Bodies& bodies, std::int64_t first = 0);

/// Throws std::runtime_error if one is not.
void checkFinite(const Bodies& bodies, std::int64_t first = 0);

}  // namespace nbody
