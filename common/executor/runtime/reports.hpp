/// \file
/// Messages of the runtime to the user of a program, on stderr, and what makes them: faults, and a program's end.
#pragma once

#include <string>

#include "executor/runtime/caller.hpp"

namespace nbody::executor::runtime {

/// "forces.cu:57", of a call.
std::string place(const Caller& caller);
/// The place after \p before, ", allocated at " say; \p otherwise of an unknown line.
std::string atKnown(const char* before, const std::string& place, const char* otherwise = "");

/// Prints a mistake of the program, once: \p key is the same for what is the same, the text itself
/// where it is empty. The program ends with a status other than 0 then.
void report(const std::string& text, const std::string& key = "");
/// Prints what is odd, but no mistake.
void note(const std::string& text, const std::string& key = "");
/// How many mistakes have been reported.
int reportCount();

/// The text without its digits: the same mistake at another address or of another thread.
std::string withoutNumbers(const std::string& text);

/// Ends the program with one line and status 2: bad input.
[[noreturn]] void refuse(const std::string& text);

/// From here on the program's end reports work that nobody waited for, errors that nobody looked
/// at and memory that was never freed; with reports it ends with status 1 instead of 0.
void watchProgramEnd();

/// From here on such an access is reported with its line, and ends the program.
void catchFaults();

}  // namespace nbody::executor::runtime
