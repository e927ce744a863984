/// \file
/// What the programs of the studies share: their options, their JSON and their end.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "base/output_file.hpp"
#include "driver/failures.hpp"
#include "driver/option_checks.hpp"
#include "driver/report.hpp"
#include "driver/report_json.hpp"

namespace nbody {

struct StudyProgram {
  StudyProgram(const char* name, const char* what, int repeats)
      : name(name), app(what, name), repeats(repeats) {}

  /// addOption()
  template <class T>
  CLI::Option* option(const std::string& name, T& value, const std::string& help) {
    return addOption(app, name, value, help);
  }

  /// Adds the options that all studies have, and parses. False where help was shown.
  /// \param drawn  by random numbers
  bool parse(int argc, char** argv, const std::string& drawn) {
    option("--seed NUMBER", seed, "seed of the random " + drawn + " [1]")
        ->check(wholeNumber(0, std::numeric_limits<long long>::max()));
    option("--repeats COUNT",
           repeats,
           "measurements of each time, on a GPU [" + std::to_string(repeats) + "]")
        ->check(wholeNumber(1, 1'000'000));
    option("--json FILE", json, "write the figures to FILE")->check(checkFileName);
    if (!parsed(app, argc, argv)) return false;
    if (!json.empty()) checkWritable(json);
    return true;
  }

  /// Writes \p runs, where asked for. Returns the exit status.
  /// \param failure  what the checks found wrong; empty where nothing
  int end(const Device& device, Json runs, const std::string& failure) const {
    if (!json.empty()) writeWhole(json, jsonDocument(device, std::move(runs)));
    return failure.empty() ? 0 : reportFailure(name, "check failed: " + failure, 1);
  }

  const char* name;
  CLI::App app;
  std::uint64_t seed = 1;
  int repeats;  ///< measurements of each time
  std::string json;  ///< file to write, or empty
};

}  // namespace nbody
