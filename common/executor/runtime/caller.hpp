/// \file
/// The line of a program that calls the runtime.
#pragma once

namespace nbody::executor {

/// Place of a call, if a parameter has it as default value.
struct Caller {
  const char* file;  ///< or, with line 0, the codeName() of a call of Thrust
  int line;
  /// Code address instead of the file's name, in functions with exactly CUDA's type, whose address
  /// programs may pass, for example as a deleter. Otherwise null.
  const void* address = nullptr;

  Caller(const char* file = __builtin_FILE(), int line = __builtin_LINE())
      : file(file), line(line) {}
  explicit Caller(const void* address) : file(nullptr), line(0), address(address) {}
};

/// Returns the program's line that called a function of Thrust, which has no parameter for it.
Caller callerOfThrust();

}  // namespace nbody::executor
