/// \file
/// What a report says of a run, line by line.
#pragma once

#include <string>
#include <vector>

#include "driver/report.hpp"
#include "driver/report_json.hpp"

namespace nbody {

/// A line of the report, and what JSON says in its place: members of the run.
struct Figure {
  std::string label;
  std::string text;
  Json json;
};

std::string textOf(const Timing& timing);
std::string textOf(const ForceError& error);

/// "tree memory" as JSON has it: tree_memory.
std::string jsonName(std::string words);

/// All that \p result holds.
std::vector<Figure> figuresOf(const RunOptions& options, const RunResult& result);

}  // namespace nbody
