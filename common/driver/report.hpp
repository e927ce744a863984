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

/// The file from which a run read its bodies.
struct InputFacts {
  std::string format;  ///< for example "tipsy, big-endian"
  double time;  ///< time at which the run started, in the file's unit of time
  std::string unused;  ///< the part of the file that is not used, in one line; empty if all is used
};

/// Results of a run. An optional is empty if the value was not measured.
struct RunResult {
  std::string step;  ///< name of the program: "01_naive", or a host baseline
  std::string precision;  ///< "fp32" or "fp64"
  Device device;
  std::optional<InputFacts> input;
  double endTime = 0;  ///< time of the bodies after the last step, in the scene's unit of time
  std::optional<Timing> force;  ///< one evaluation of all forces
  std::optional<Timing> wholeStep;  ///< one time step
  std::vector<KernelLaunch> kernels;  ///< one evaluation's; empty unless `--occupancy` is given
  std::optional<Energy> energy;  ///< energy of one evaluation
  std::string energyMissing;  ///< why `--energy` measured nothing; or empty
  std::optional<PhaseTimes> parts;  ///< parts of a force evaluation, if the step has parts
  std::optional<ForceError> error;  ///< of the forces at the start
  std::optional<ForceError> errorAfterSteps;  ///< of the last step's forces, if those depend on the step before
  std::optional<std::uint64_t> globalBytesRead;  ///< bytes that the kernels of an evaluation read
  std::optional<double> momentumDrift;  ///< |P(end) - P(start)| over the sum of m |v| at the end
  std::optional<double> energyDrift;  ///< |E(end) - E(start)| / |E(start)|
  bool passed = false;  ///< the checks passed, or there was none

  /// Returns the error that failed its check. One must have failed.
  const ForceError& failed() const { return error->passed ? *errorAfterSteps : *error; }
};

/// Rates of an evaluation.
struct Speed {
  double interactionsPerSecond;
  double gflops;
  std::optional<double> fmaShare;  ///< share of the measured FMA ceiling; nothing if there is none
};

/// Returns the FLOP per interaction, unless the step counts its own. FP32: 20, as in listing 31-1 of GPU
/// Gems 3 (square root and division count 1 each). FP64: 30, as in the chapter's public sample.
constexpr int flopPerInteraction(bool single) { return single ? 20 : 30; }

/// Returns the rates of an evaluation that takes \p ms milliseconds.
/// \param parts  counts of a step that counts its own interactions and FLOP
Speed speedOf(double ms, int bodies, bool single, const std::optional<PhaseTimes>& parts,
              const Device& device);

/// Returns nothing if the forces were not timed.
std::optional<double> interactionsPerSecond(const RunOptions& options, const RunResult& result);

/// Prints name, versions and ceiling of a GPU, or that the executor has no speed.
void printDevice(const Device& device);

void printTiming(const char* label, const Timing& timing);
void printError(const ForceError& error);

void printReport(const RunOptions& options, const RunResult& result);

/// Returns the JSON document of one run, in the schema that all programs of the suite share.
std::string jsonReport(const RunOptions& options, const RunResult& result);

}  // namespace nbody
