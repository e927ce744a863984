#include "driver/live/programs.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/bad_input.hpp"
#include "base/text.hpp"

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

std::string becomeProgram(const std::string& path, const Listener& listener, int state) {
  // Nothing else goes along, whoever opened it.
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
  for (int descriptor : {listener.descriptor(), state}) fcntl(descriptor, F_SETFD, 0);
  const std::string resume = formatted("%d,%d", listener.descriptor(), state);
  execl(path.c_str(), path.c_str(), "--live-resume", resume.c_str(), nullptr);
  const int error = errno;
  for (int descriptor : {listener.descriptor(), state}) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return "climb: " + programName(path) + " cannot be started: " + std::strerror(error);
}

void reapChildren() {
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
}

LiveDescriptors descriptorsOf(const std::string& resume) {
  const std::size_t comma = resume.find(',');
  const auto listener = parse<int>(resume.substr(0, comma));
  const auto state = comma == resume.npos ? std::nullopt : parse<int>(resume.substr(comma + 1));
  if (!listener || !state || *listener < 3 || *state < 3 || *listener == *state)
    throw BadInput("--live-resume: must be two descriptors, not '" + resume + "'");
  return {*listener, *state};
}

}  // namespace nbody
