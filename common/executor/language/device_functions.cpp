#include "executor/language/device_functions.hpp"

#include <chrono>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "executor/checker/checker.hpp"
#include "executor/grid.hpp"
#include "executor/messages.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {

unsigned multiprocessors = 4;

/// Leaves the checker before text is made, because the linker may use std::string's code from a
/// kernel's object, where it is instrumented.
static void leaveChecker() {
  if (currentThread.inKernel) checker::leaveThread();
}

/// Ends the kernel with a message: \p before, the thread's name, \p after. In host code, ends the
/// process with \p ofHost.
[[noreturn]] static void stop(const std::string& ofHost, const std::string& before,
                              const std::string& after) {
  if (!currentThread.inKernel) {
    std::fprintf(stderr, "%s\n", ofHost.c_str());
    std::abort();
  }
  failHere("executor: " + before + describeCurrentThread() + after);
}

/// Returns the kernel's function, without the closure that the translator makes of its body.
static std::string kernelName(const std::string& function) {
  return function.substr(0, function.find("::<lambda"));
}

void trap() {
  leaveChecker();
  stop("__trap() ended the program.", "trap: ", " called __trap(), which ended the kernel.");
}

void assertFailed(const char* expression, const char* file, int line, const char* function) {
  leaveChecker();
  const std::string where = place(file, line), name = kernelName(function);
  stop(where + ": " + name + ": Assertion `" + expression + "' failed.",
       std::string("assertion failed: '") + expression + "' is false in ",
       ", in " + name + " at " + where + ".");
}

unsigned laneId() { return laneOfCaller(); }
unsigned warpId() { return rankInBlock() / 32; }
unsigned smId() {
  const unsigned long long row = blockIdx.y + 1ull * gridDim.y * blockIdx.z;
  return static_cast<unsigned>((blockIdx.x + gridDim.x * row) % multiprocessors);
}

/// Lets the kernel read the strings among printf()'s arguments. Returns the number of arguments: one
/// per conversion, and one per * in it.
static int readArguments(const char* format, std::va_list arguments, const void* code) {
  int count = 0;
  while ((format = std::strchr(format, '%')) != nullptr) {
    const char* const begin = ++format;
    format += std::strcspn(begin, "diouxXeEfFgGaAcspn%");
    if (*format == '\0') break;
    const char kind = *format++;
    if (kind == '%') continue;
    bool isLong = std::strchr("spn", kind) != nullptr;
    std::size_t most = SIZE_MAX;  // characters of a string
    for (const char* at = begin; at + 1 != format; ++at) {
      isLong |= std::strchr("ljzt", *at) != nullptr;
      if (*at == '.') most = std::strtoul(at + 1, nullptr, 10);
      if (*at != '*') continue;
      const int number = va_arg(arguments, int);
      if (at[-1] == '.') most = number < 0 ? SIZE_MAX : number;
      ++count;
    }
    ++count;
    if (std::strchr("eEfFgGaA", kind) != nullptr) va_arg(arguments, double);
    else if (!isLong) va_arg(arguments, int);
    else if (const char* const text = va_arg(arguments, const char*);
             kind == 's' && text != nullptr)
      checker::readText(text, most, code);
  }
  return count;
}

int deviceOrHostPrintf(const char* format, ...) {
  const bool inKernel = currentThread.inKernel;
  if (inKernel && format == nullptr) return -1;
  std::va_list arguments;
  int count = 0;
  if (inKernel) {
    checker::passOnUndefined();
    va_start(arguments, format);
    count = readArguments(format, arguments, __builtin_return_address(0));
    va_end(arguments);
  }
  va_start(arguments, format);
  const int characters = std::vprintf(format, arguments);
  va_end(arguments);
  if (!inKernel) return characters;
  return characters < 0 ? -2 : count;
}

unsigned long long globalTimer() {
  using namespace std::chrono;
  const auto now = steady_clock::now().time_since_epoch();
  return static_cast<unsigned long long>(duration_cast<nanoseconds>(now).count());
}

clock_t deviceOrHostClock() { return currentThread.inKernel ? clock64() : ::clock(); }

}  // namespace nbody::executor

/// Lets another thread run, because a kernel that reads the clock may be waiting for it.
long long clock64() {
  using namespace nbody::executor;
  countAtomic(true);  // time goes on
  return static_cast<long long>(globalTimer());  // the properties' clock rate is 1 GHz
}
