#include "executor/language/printing.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "executor/checker/checker.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {

/// How many arguments a format takes: one for each conversion, and for each * in it.
static int argumentsOf(const char* format) {
  int count = 0;
  while ((format = std::strchr(format, '%')) != nullptr) {
    const std::size_t before = std::strcspn(++format, "diouxXeEfFgGaAcspn%");
    for (const char* end = format + before; format != end; ++format) count += *format == '*';
    if (*format == '\0') break;
    count += *format++ != '%';
  }
  return count;
}

int deviceOrHostPrintf(const char* format, ...) {
  const bool inKernel = currentThread.inKernel;
  if (inKernel && format == nullptr) return -1;
  if (inKernel) checker::passOnUndefined();
  std::va_list arguments;
  va_start(arguments, format);
  const int characters = std::vprintf(format, arguments);
  va_end(arguments);
  if (!inKernel) return characters;
  return characters < 0 ? -2 : argumentsOf(format);
}

}  // namespace nbody::executor
