/// \file
/// The options of the files that bodies come from and go to.
#pragma once

#include "driver/run_options.hpp"

namespace CLI {
class App;
}

namespace nbody {

/// Adds `--input`, `--output` and `--snapshot-every`, which set their members of \p options.
void addFileOptions(CLI::App& app, RunOptions& options);

}  // namespace nbody
