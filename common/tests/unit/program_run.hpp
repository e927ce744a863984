/// \file
/// Runs a program, a step's own say, as its user runs it.
#pragma once

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "catch.hpp"
#include "test_folder.hpp"

namespace nbody {

struct Outcome {
  int status;
  std::string out, err;
};

inline Outcome run(const std::string& program, const std::string& arguments) {
  TestFolder folder;
  const std::string command =
      program + " " + arguments + " >" + folder.file("out") + " 2>" + folder.file("err");
  const int status = std::system(command.c_str());
  return {WEXITSTATUS(status), contentOf(folder.file("out")), contentOf(folder.file("err"))};
}

inline void requireRefused(const std::string& program,
                           const std::string& arguments,
                           const std::string& why) {
  const Outcome outcome = run(program, arguments);
  INFO(arguments << ": " << outcome.err);
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
  CHECK(contains(outcome.err, why));
}

// Of the step whose tests these are (step_program.cpp).
extern const char* const kStepProgram;  ///< its path
extern const char* const kStepName;
extern const bool kStepIsDouble;

inline Outcome run(const std::string& arguments) { return run(kStepProgram, arguments); }

inline void requireRefused(const std::string& arguments, const std::string& why) {
  requireRefused(kStepProgram, arguments, why);
}

}  // namespace nbody
