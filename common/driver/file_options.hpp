/// \file
/// The options of the files that a run reads and writes.
#pragma once

#include "driver/run_options.hpp"

namespace CLI {
class App;
}

namespace nbody {

/// Adds an option for each file, and those that say what is in them.
void addFileOptions(CLI::App& app, RunOptions& options);

/// Throws BadInput where two of the files that a run writes are the same, or one that shows the run
/// is its input.
void checkFilesDiffer(const RunOptions& options);

}  // namespace nbody
