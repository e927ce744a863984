/// \file
/// The figures of a run, as text and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "driver/run_options.hpp"
#include "driver/validation.hpp"
#include "measure/device.hpp"
#include "measure/energy.hpp"
#include "measure/occupancy.hpp"
#include "measure/timing.hpp"

namespace nbody {

/// The file that a run's bodies came from.
struct InputFacts {
  std::string format;  ///< "tipsy, big-endian"
  double time;  ///< at which the run started, in the file's unit
  std::string unused;  ///< what of the file is not used; empty if all is
};

/// Everything that a run found out. What was not measured is absent.
struct RunResult {
  std::string step;  ///< "01_naive", or the name of a host baseline
  std::string precision;  ///< "fp32" or "fp64"
  Device device;
  std::optional<InputFacts> input;
  double endTime = 0;  ///< of the bodies after the last step, in the scene's unit
  std::optional<Timing> force;  ///< one evaluation of all forces
  std::optional<Timing> wholeStep;
  std::vector<KernelLaunch> kernels;  ///< of an evaluation, where asked for
  std::optional<Energy> energy;  ///< of one evaluation
  std::string energyMissing;  ///< why not, where it was asked for
  std::optional<PhaseTimes> parts;  ///< of a force evaluation, in a step that has some
  std::optional<ForceError> error;
  std::optional<std::uint64_t> globalBytesRead;  ///< by the kernels of an evaluation, where counted
  std::optional<double> momentumDrift;  ///< |P(end) - P(start)| over the sum of m |v| at the end
  std::optional<double> energyDrift;  ///< |E(end) - E(start)| / |E(start)|
  bool passed = false;  ///< the check; true where there was none
};

struct Speed {
  double interactionsPerSecond;
  double gflops;
  std::optional<double> fmaShare;  ///< of the measured ceiling, where there is one
};

/// FLOP per interaction, unless the step counts its own: 20 in FP32, listing 31-1 of GPU Gems 3 with
/// 1 for the square root and 1 for the division; 30 in FP64, the count of the chapter's public sample
/// for double precision.
constexpr int flopPerInteraction(bool single) { return single ? 20 : 30; }

/// \param parts  with the counts of a step that has them
Speed speedOf(double ms, int bodies, bool single, const std::optional<PhaseTimes>& parts,
              const Device& device);

/// Returns nothing if the forces were not timed.
std::optional<double> interactionsPerSecond(const RunOptions& options, const RunResult& result);

/// Name, versions and ceiling of a GPU; of the executor, that it has no speed.
void printDevice(const Device& device);

void printTiming(const char* label, const Timing& timing);
void printError(const ForceError& error);

void printReport(const RunOptions& options, const RunResult& result);

/// The document of one run, in the schema that all of the suite's JSON shares.
std::string jsonReport(const RunOptions& options, const RunResult& result);

}  // namespace nbody
