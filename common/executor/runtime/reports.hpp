/// \file
/// Messages of the runtime for the user of a program, on stderr, and their causes: faults, and a
/// program's end.
#pragma once

#include <string>

#include "executor/runtime/caller.hpp"

namespace nbody::executor::runtime {

/// Returns "forces.cu:57", the place of a call.
std::string place(const Caller& caller);
/// Returns \p place after \p before, such as ", allocated at "; \p otherwise if it is unknown.
std::string atKnown(const char* before, const std::string& place, const char* otherwise = "");

/// Prints a mistake of the program once. Reports with the same \p key, or if that is empty with the
/// same text, are printed once. The program then ends with a status other than 0.
void report(const std::string& text, const std::string& key = "");
/// Prints something unusual that is no mistake.
void note(const std::string& text, const std::string& key = "");

/// Returns the text without digits, which is equal for the same mistake in other threads or at
/// other addresses.
std::string withoutNumbers(const std::string& text);

/// Ends the program with one line and status 2, because of bad input.
[[noreturn]] void refuse(const std::string& text);

/// Makes the program's end report unfinished work, errors that nobody looked at and memory that was
/// never freed. With reports it ends with status 1 instead of 0.
void watchProgramEnd();

/// Makes wrong accesses end the program with a report of their line, and signals with one of the
/// running kernel.
void catchFaults();
/// Does not return if a signal ends the program.
void waitForEnding();

}  // namespace nbody::executor::runtime
