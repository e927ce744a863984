#include "bodies/input_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>

#include "base/bad_input.hpp"
#include "base/text.hpp"
#include "bodies/centre.hpp"

namespace nbody {

namespace fs = std::filesystem;

InputFile::InputFile(const std::string& path) : name_(path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (error) refuse(error.message());
  if (fs::is_directory(status)) refuse("it is a directory");
  // Not opened, for opening a pipe without a writer would hang.
  if (!fs::is_regular_file(status))
    refuse("it is a pipe or a device, not a regular file; write what it gives to a file first");
  stream_ = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*stream_) refuse(std::strerror(errno));
  size_ = stream_->seekg(0, std::ios::end).tellg();
  if (size_ == 0) refuse("it is empty");
}

InputFile::InputFile(std::string name, std::string_view bytes)
    : name_(std::move(name)),
      size_(static_cast<std::int64_t>(bytes.size())),
      stream_(std::make_unique<std::istringstream>(std::string(bytes))) {
  if (bytes.empty()) refuse("it is empty");
}

void InputFile::read(std::int64_t offset, void* to, std::size_t count) const {
  const auto size = static_cast<std::streamsize>(count);
  if (offset + size > size_) refuse("it ends too early");
  if (!stream_->seekg(offset).read(static_cast<char*>(to), size))
    refuse(stream_->bad() ? std::strerror(errno) : "it became shorter while it was read");
}

void InputFile::refuse(const std::string& why) const {
  throw BadInput("cannot read " + name_ + ": " + why);
}

FileBodies::FileBodies(const InputFile& file, std::int64_t count, std::int64_t first)
    : file_(file), first_(first) {
  try {
    bodies_ = bodiesAtRest(static_cast<int>(count));
  } catch (const std::bad_alloc&) {
    file_.refuse("there is no memory for its " + std::to_string(count) + " bodies");
  }
}

void FileBodies::refuse(std::int64_t k, const FileBody& body, std::int64_t line) const {
  std::string which = "body " + std::to_string(first_ + k);
  if (line > 0) which += " (line " + std::to_string(line) + ")";
  for (int k = 0; k < FileBody::kNumbers; ++k) {
    const double number = body.numbers[k];
    if (std::isfinite(number)) continue;
    const char* what = std::isnan(number) ? "not a number" : "infinite";
    file_.refuse(which + ": its " + FileBody::kNames[k] + " is " + what);
  }
  const double mass = body.numbers[FileBody::kNumbers - 1];
  file_.refuse(which + formatted(": its mass is negative, %g", mass));
}

}  // namespace nbody
