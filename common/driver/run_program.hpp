/// \file
/// The main() that every program of the suite shares.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "driver/processes.hpp"
#include "driver/run_options.hpp"
#include "driver/simulation.hpp"
#include "driver/step_options.hpp"
#include "measure/device.hpp"
#include "measure/energy.hpp"

namespace nbody {

/// Parts that differ between programs.
struct Program {
  std::string name;
  bool doublePrecision = false;
  std::function<std::unique_ptr<StepOptions>()> options;  ///< none resolved
  Device (*device)(bool measure) = [](bool) { return hostDevice(); };
  EnergyCounter (*energyCounter)() = nullptr;  ///< null if the program runs on several devices
  std::function<std::unique_ptr<Simulation>(int count, double softening, const StepOptions&)>
      simulation;
  const Processes* processes = &kOneProcessAlone;  ///< the processes that run it together
  bool readsSnapshots = false;  ///< its simulation reads tipsy files itself, without upload()
  bool keepsMemory = false;  ///< from one force evaluation to the next
  bool remembers = false;  ///< its forces depend on the accelerations of the evaluation before
  std::size_t deviceBytesPerBody = 0;  ///< 0 if the simulation is in host memory
};

/// Reads the options, runs, checks and reports. Returns the exit status: 0, 1 for a failure, 2 for bad input.
int runProgram(int argc, char** argv, const Program& program);

/// Runs for the server at the other end of the pipes of \p options.live until they close. Starts with the options' bodies, or
/// with those that another program left; in that case the first line is its state. Returns the exit status. Throws BadInput.
/// Defined in live/.
int runLive(const Program& program, RunOptions& options, SofteningRange range);

}  // namespace nbody
