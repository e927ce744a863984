#include "program/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "program/bad_input.hpp"

namespace nbody {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw BadInput("cannot write " + path + ": " + why);
}

bool isSpecial(const fs::path& path) {
  return fs::exists(path) && !fs::is_regular_file(path) && !fs::is_directory(path);
}

/// Where the temporary file goes: beside the file that a link stands for.
std::string temporaryFor(const std::string& path) {
  return fs::weakly_canonical(path).string() + ".partial-" + std::to_string(getpid());
}

void writeTo(const std::string& file, const std::string& content, const std::string& path) {
  std::FILE* out = std::fopen(file.c_str(), "wb");
  if (out == nullptr) refuse(path, std::strerror(errno));
  bool written = std::fwrite(content.data(), 1, content.size(), out) == content.size();
  written = std::fflush(out) == 0 && written;
  int error = errno;
  written = std::fclose(out) == 0 && written;
  if (!written) {
    if (!isSpecial(file)) std::remove(file.c_str());
    refuse(path, std::strerror(error));
  }
}

}  // namespace

void checkWritable(const std::string& path) {
  std::error_code ignored;
  if (path.empty()) refuse("''", "the name is empty");
  if (fs::is_directory(path, ignored)) refuse(path, "it is a directory");
  if (isSpecial(path)) {
    if (access(path.c_str(), W_OK) != 0) refuse(path, std::strerror(errno));
    return;
  }
  // An unwritable file in a writable directory could be replaced, but whoever made it so did not want that.
  if (fs::exists(path, ignored) && access(path.c_str(), W_OK) != 0)
    refuse(path, std::strerror(errno));
  std::string temporary = temporaryFor(path);
  writeTo(temporary, "", path);
  std::remove(temporary.c_str());
}

void writeWhole(const std::string& path, const std::string& content) {
  if (isSpecial(path)) return writeTo(path, content, path);
  std::string temporary = temporaryFor(path);
  writeTo(temporary, content, path);
  if (std::rename(temporary.c_str(), fs::weakly_canonical(path).c_str()) != 0) {
    int error = errno;
    std::remove(temporary.c_str());
    refuse(path, std::strerror(error));
  }
}

}  // namespace nbody
