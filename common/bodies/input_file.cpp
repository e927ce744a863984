#include "bodies/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

#include "base/bad_input.hpp"
#include "base/text.hpp"

namespace nbody {

InputFile::InputFile(const std::string& path) : name_(path) {
  // Non-blocking, for opening a pipe without a writer would hang.
  descriptor_ = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor_ < 0) refuse(std::strerror(errno));
  struct stat status;
  const bool known = fstat(descriptor_, &status) == 0;
  const bool regular = known && S_ISREG(status.st_mode);
  if (regular && status.st_size > 0) {
    size_ = status.st_size;
    return;
  }
  close(descriptor_);
  if (!known) refuse(std::strerror(errno));
  if (regular) refuse("it is empty");
  if (S_ISDIR(status.st_mode)) refuse("it is a directory");
  refuse("it is a pipe or a device, not a regular file; write what it gives to a file first");
}

InputFile::InputFile(std::string name, std::string_view bytes)
    : name_(std::move(name)), size_(static_cast<std::int64_t>(bytes.size())), bytes_(bytes) {
  if (bytes.empty()) refuse("it is empty");
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void InputFile::read(std::int64_t offset, void* to, std::size_t count) const {
  if (offset + static_cast<std::int64_t>(count) > size_) refuse("it ends too early");
  if (count == 0) return;  // there may be no memory to copy nothing to
  if (descriptor_ < 0) {
    std::memcpy(to, bytes_.data() + offset, count);
    return;
  }
  char* next = static_cast<char*>(to);
  while (count > 0) {
    const ssize_t got = pread(descriptor_, next, count, offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(std::strerror(errno));
    if (got == 0) refuse("it became shorter while it was read");
    next += got;
    offset += got;
    count -= got;
  }
}

void InputFile::refuse(const std::string& why) const {
  throw BadInput("cannot read " + name_ + ": " + why);
}

FileBodies::FileBodies(const InputFile& file, std::int64_t count, std::int64_t first)
    : file_(file), first_(first) {
  try {
    bodies_.positions.reserve(count);
    bodies_.velocities.reserve(count);
  } catch (const std::bad_alloc&) {
    file_.refuse("there is no memory for its " + std::to_string(count) + " bodies");
  }
}

void FileBodies::refuse(const FileBody& body, std::int64_t line) const {
  std::string which = "body " + std::to_string(first_ + bodies_.count());
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
