/// \file
/// Parts that the programs of the studies share: their options, their JSON and their end.
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

class StudyProgram {
 public:
  StudyProgram(const char* name, const char* what, int repeats);
  ~StudyProgram();

  /// An option "--option TYPE" of an int or a text, or of several with commas between.
  template <class T>
  void option(const std::string& name, T& value, const std::string& help,
              const TextCheck& check = {});
  void flag(const std::string& name, bool& value, const std::string& help);

  /// Adds the options that all studies have, and parses. False where help was shown.
  /// \param drawn  by random numbers
  bool parse(int argc, char** argv, const std::string& drawn);

  /// Writes \p runs, where asked for. Returns the exit status.
  /// \param failure  what the checks found wrong; empty where nothing
  int end(const Device& device, Json runs, const std::string& failure) const;

  const char* name;
  std::uint64_t seed = 1;
  int repeats;  ///< measurements of each time
  std::string json;  ///< file to write, or empty

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace nbody
