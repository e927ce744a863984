/// \file
/// The options of what shows a run: movie, trajectory and picture.
#pragma once

#include "driver/run_options.hpp"

namespace CLI {
class App;
}

namespace nbody {

/// Adds `--movie`, `--trajectory`, `--picture`, `--frame-every` and `--movie-max-bodies`.
void addMovieOptions(CLI::App& app, RunOptions& options);

/// Throws BadInput where two of the files that a run writes are the same, or one of those above is
/// its input.
void checkFilesDiffer(const RunOptions& options);

}  // namespace nbody
