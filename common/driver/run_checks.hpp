/// \file
/// What a run finds out besides times: whether its forces are right, what drifts, what energy they take.
#pragma once

#include "driver/report.hpp"
#include "driver/run_program.hpp"
#include "physics/conserved.hpp"

namespace nbody {

/// Compares the forces that \p simulation has just computed from poisoned accelerations with FP64. If the
/// step keeps memory, computes them once more and gives the error of that second evaluation: all that are
/// timed are like it, and the first may not be.
/// \param bodies  that it holds
ForceError checked(Simulation& simulation,
                   const RunOptions& options,
                   const Program& program,
                   const Bodies& bodies);

/// Of many bodies the momenta alone.
Conserved conserved(const Bodies& bodies, double softening);

/// The drifts from \p before to \p after.
void compare(const Conserved& before, const Conserved& after, bool withEnergy, RunResult& result);

/// The counter that --energy asks for; throws where the program can have none.
EnergyCounter energyCounter(const RunOptions& options, const Program& program);

/// Of force evaluations, whose time \p result has.
void countEnergy(Simulation& simulation,
                 const EnergyCounter& counter,
                 int seconds,
                 RunResult& result);

}  // namespace nbody
