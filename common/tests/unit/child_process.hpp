/// \file
/// Runs work in its own process, because it may end the process, or to measure its memory.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "catch.hpp"

namespace nbody {

struct ChildEnd {
  int status;
  std::string text;  ///< written to stderr
  double peakBytes;  ///< largest resident memory
};

inline ChildEnd inChild(const std::function<void()>& work) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    const std::string error = messageOf(work);
    std::fputs(error.c_str(), stderr);
    _exit(error.empty() ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t length; (length = read(ends[0], part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(length));
  close(ends[0]);
  int status = 0;
  rusage usage = {};
  wait4(child, &status, 0, &usage);
  return {WEXITSTATUS(status), text, 1024.0 * static_cast<double>(usage.ru_maxrss)};
}

}  // namespace nbody
