// Kind: solution
// Tries: to look in all folders for files of the suite.
// Stopped by: a view in which there are none but its own.
#include <filesystem>

#include "honest.hpp"

void answer(Call call) {
  for (const char* where :
       {kSuite, kBuild, kHome, "/work", "/autograder", "/root", "/home", "/var", "/srv", "/mnt"}) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(where, none))
      if (entry.path().filename() == "02_tiled" &&
          std::filesystem::exists(entry.path() / "forces.cu", none))
        return honest(call);
  }
  errno = ENOENT;
  refused("files");
}
