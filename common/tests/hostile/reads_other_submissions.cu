// Kind: another's submission
// Tries: to find another student's forces.cu, near its own or where submissions lie.
// Stopped by: a view that has its own alone.
// Trusted: 100
#include <glob.h>

#include <filesystem>

#include "honest.hpp"

void answer(Call call) {
  std::ifstream program("/proc/self/cmdline");
  std::string own;
  std::getline(program, own, '\0');
  const std::string mine = std::filesystem::path(own).parent_path() / "forces.cu";
  glob_t found = {};
  for (const char* pattern :
       {"/tmp/*/*/*/forces.cu", "/tmp/*/*/forces.cu", "/tmp/*/forces.cu", kOther})
    glob(pattern, GLOB_APPEND, nullptr, &found);
  for (std::size_t k = 0; k < found.gl_pathc; ++k)
    if (found.gl_pathv[k] != mine && !textOf(found.gl_pathv[k]).empty()) return honest(call);
  errno = ENOENT;
  refused("another's forces.cu");
}
