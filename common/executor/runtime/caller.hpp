/// \file
/// The line of a program that calls the runtime.
#pragma once

namespace nbody::executor {

/// Place of a call, if a parameter has it as default value.
struct Caller {
  const char* file;  ///< or, with line 0, the codeName() of a call of Thrust
  int line;
  /// In place of the file's name, where a function has CUDA's very type so that programs can pass
  /// its address, as a deleter say; null elsewhere.
  const void* address = nullptr;

  Caller(const char* file = __builtin_FILE(), int line = __builtin_LINE())
      : file(file), line(line) {}
  explicit Caller(const void* address) : file(nullptr), line(0), address(address) {}
};

/// The program's line that called a function of Thrust, which has no parameter for it.
Caller callerOfThrust();

}  // namespace nbody::executor
