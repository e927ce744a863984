#include "driver/live/programs.hpp"

#include <unistd.h>

#include <filesystem>

namespace nbody {

namespace fs = std::filesystem;

std::string ownPath() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).string();
}

std::string programName(const std::string& path) { return fs::path(path).filename().string(); }

std::map<int, std::string> programsBeside(const std::string& path, bool doublePrecision) {
  const fs::path build = fs::path(path).parent_path().parent_path();
  std::map<int, std::string> programs;
  const auto add = [&](int key, const fs::path& program) {
    if (access(program.c_str(), X_OK) == 0) programs[key] = program.string();
  };
  add(0, build / "common" / "simd");
  std::error_code error;
  for (const fs::directory_entry& folder : fs::directory_iterator(build, error)) {
    const std::string name = folder.path().filename().string();
    if (name.size() < 4 || name[0] != '0' || name[1] < '1' || name[1] > '9' || name[2] != '_')
      continue;
    add(name[1] - '0', folder.path() / (name + (doublePrecision ? "_fp64" : "")));
  }
  return programs;
}

}  // namespace nbody
