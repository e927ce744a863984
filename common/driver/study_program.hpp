/// \file
/// Parts that the programs of the studies share: options, JSON and exit status.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "driver/failures.hpp"
#include "driver/option_checks.hpp"
#include "driver/report.hpp"
#include "driver/report_json.hpp"

namespace CLI {
class App;  // its header takes longer to compile than a study's program
}

namespace nbody {

/// A program of a study, for example `05_map_study`: its command line and its report.
class StudyProgram {
 public:
  /// \param what     one line for the help: what the program does
  /// \param repeats  default of `--repeats`
  StudyProgram(const char* name, const char* what, int repeats);
  ~StudyProgram();

  /// Adds an option for an int, a text, or several of them with commas between.
  /// \param name  "--option TYPE"
  template <class T>
  void option(const std::string& name, T& value, const std::string& help,
              const TextCheck& check = {});
  void flag(const std::string& name, bool& value, const std::string& help);

  /// Adds the options that all studies have, and parses. Returns false if it has shown the help. Throws
  /// BadInput, in one line.
  /// \param drawn  for the help of `--seed`: what the random numbers draw
  bool parse(int argc, char** argv, const std::string& drawn);

  /// Writes \p runs as JSON if `--json` is given. Returns the exit status: 0, or 1 if there is a failure.
  /// \param failure  the first mistake that the checks found, in one line; or empty
  int end(const Device& device, Json runs, const std::string& failure) const;

  const char* name;
  std::uint64_t seed = 1;
  int repeats;  ///< number of measurements of each time
  std::string json;  ///< file to write, or empty

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace nbody
