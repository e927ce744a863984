// Kind: secrets
// Tries: to read what the sandbox's first process was started with, and all that /proc says of
//   processes that are not its own.
// Stopped by: a first process that is closed, and an environment made from nothing.
#include <filesystem>

#include "honest.hpp"

void answer(Call call) {
  errno = EACCES;
  for (const auto& entry : std::filesystem::directory_iterator("/proc"))
    for (const char* name : {"/environ", "/maps", "/auxv", "/mem"}) {
      const std::string path = entry.path().string() + name;
      if (std::atoi(entry.path().filename().c_str()) == 0 ||
          entry.path().filename() == std::to_string(getpid()))
        continue;
      std::ifstream file(path);
      std::string text;
      std::getline(file, text, '\x01');
      if (text.find("NBODY_HOSTILE_SECRET") != std::string::npos) return honest(call);
      if (file.is_open() && std::string(name) == "/mem") return honest(call);
    }
  refused("the first process");
}
