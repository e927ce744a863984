/// \file
/// The command line that every program shares.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bodies/scenes.hpp"
#include "driver/step_options.hpp"

namespace CLI {
class App;
}

namespace nbody {

/// Options of a run. The scene's defaults are filled in, or plummer's if the bodies come from a
/// file.
struct RunOptions {
  const Scene* scene = nullptr;
  std::string input;  ///< file of the bodies, instead of the scene; or empty
  std::string output;  ///< file for the bodies at the end, or empty
  int snapshotEvery = 0;  ///< steps from one numbered snapshot to the next; 0 for none
  int bodies = 16384;
  int steps = 10;
  double timeStep = 0;  ///< in the scene's unit of time
  double softening = 0;  ///< in the scene's unit of length
  bool softeningGiven = false;
  std::uint64_t seed = 1;
  int repeats = 20;  ///< timed evaluations
  int energySeconds = 0;  ///< duration of the energy measurement, in s; 0: none
  std::string json;  ///< file to write, or empty
  std::string movie;  ///< the same
  std::string trajectory;  ///< the same
  int frameEvery = 0;  ///< steps from one frame to the next; 0 for at most 300 frames
  int movieMaxBodies = 65536;  ///< most bodies that a movie shows
  bool check = true;  ///< against FP64
  bool measure = true;  ///< time, and on a GPU the ceiling
  bool runsForResult = false;  ///< not measured, because it was not asked for
  bool occupancy = false;  ///< print the kernels' needs and occupancy
  bool graph = true;  ///< on a GPU, launch a step's kernels as one CUDA graph
  std::string live;  ///< pipes of a run that is watched, "IN,OUT" (live/pipes.hpp), or empty
  std::unique_ptr<StepOptions> stepOptions;

  /// The scene's name, or that of the file without its folder.
  std::string sceneName() const;
};

/// The range of softening lengths. Their squares and inverse cubes fit the precision in the units of units.hpp.
struct SofteningRange {
  double least;
  double most;
};

constexpr SofteningRange softeningRange(bool doublePrecision) {
  return doublePrecision ? SofteningRange{1e-150, 1e150} : SofteningRange{1e-37, 1e38};
}

/// Reads the command line. Returns nothing if it has shown the help. Throws BadInput.
std::optional<RunOptions> parseOptions(int argc, char** argv, const std::string& programName,
                                       std::unique_ptr<StepOptions> stepOptions,
                                       SofteningRange softeningRange);

/// Adds an option for each file that a run reads or writes, and the options for their contents.
void addFileOptions(CLI::App& app, RunOptions& options);

/// Throws BadInput if a run would write two files of one name, or replace its input by a movie or a trajectory.
void checkFilesDiffer(const RunOptions& options);

}  // namespace nbody
