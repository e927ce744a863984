/// \file
/// Runs a program, for example the step's, as a user does.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/host_memory.hpp"
#include "test_folder.hpp"

namespace nbody {

struct Outcome {
  int status;
  std::string out, err;
  nlohmann::json document = {};  ///< from runWell()

  const nlohmann::json& firstRun() const { return document.at("runs").at(0); }
};

inline Outcome run(const std::string& program, const std::string& arguments) {
  TestFolder folder;
  const std::string command =
      program + " " + arguments + " >" + folder / "out" + " 2>" + folder / "err";
  const int status = std::system(command.c_str());
  return {WEXITSTATUS(status), contentOf(folder / "out"), contentOf(folder / "err")};
}

/// Runs a program that must succeed, and reads its JSON.
inline Outcome runWell(const std::string& program, const std::string& arguments) {
  TestFolder folder;
  Outcome outcome = run(program, arguments + " --json " + folder / "out.json");
  INFO(arguments << ": " << outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.err.empty());
  CHECK(folder.entries() == 1);  // no temporary file is left
  outcome.document = nlohmann::json::parse(contentOf(folder / "out.json"));
  return outcome;
}

inline void requireRefused(const std::string& program, const std::string& arguments,
                           const std::string& why) {
  const Outcome outcome = run(program, arguments);
  INFO(arguments << ": " << outcome.err);
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
  CHECK(contains(outcome.err, why));
}

/// Returns whether the host has 224 bytes for each body, so that no run is refused.
inline bool hostHolds(std::size_t bodies) { return hostMemory().free / 224 >= bodies; }

// Facts of the step under test (step_program.cpp).
extern const char* const kStepProgram;  ///< its path
extern const char* const kStepName;
extern const bool kStepIsDouble;

inline Outcome run(const std::string& arguments) { return run(kStepProgram, arguments); }

inline Outcome runWell(const std::string& arguments) { return runWell(kStepProgram, arguments); }

inline void requireRefused(const std::string& arguments, const std::string& why) {
  requireRefused(kStepProgram, arguments, why);
}

}  // namespace nbody
