// Kind: secrets
// Tries: to find a file that the grader has left open to it: anything but its input, its output and
//   its two pipes.
// Stopped by: descriptors that are closed where a program is started.
// Trusted: 0
#include <dirent.h>
#include <sys/stat.h>

#include "honest.hpp"

void answer(Call call) {
  std::string found;
  for (int file = 0; file < 1024; ++file) {
    struct stat state;
    if (fstat(file, &state) != 0 || S_ISFIFO(state.st_mode)) continue;
    if (file > 2) found += " " + std::to_string(file);
    if (S_ISDIR(state.st_mode) || S_ISSOCK(state.st_mode)) found += " !" + std::to_string(file);
  }
  errno = EBADF;
  if (found.empty()) refused("nothing but pipes is open");
  honest(call);
}
