#include "base/output_file.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <utility>

#include "base/bad_input.hpp"

namespace nbody {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refusePath(const std::string& path, const std::string& why) {
  throw BadInput("cannot write " + path + ": " + why);
}

/// Returns the stream of this process that \p path names, or -1. If /dev/stdout is a regular file,
/// opening it again would start at its beginning and overwrite what was printed.
int standardStream(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  return -1;
}

// A signal ends the program without destructors, so its handler removes the temporary files. It may
// not allocate or lock. It is there while there are such files, and then gives the signal to the
// handler before it.

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr int kMostFiles = 16;  // more than a run writes at once
std::atomic<const char*> temporaries[kMostFiles];
struct sigaction before[std::size(kSignals)];
std::mutex registering;
int registered = 0;
pid_t owner = 0;  // a forked child inherits names that are not its own

void removeTemporaries(int signal) {
  for (std::atomic<const char*>& name : temporaries)
    if (const char* path = name.exchange(nullptr); path && owner == getpid()) unlink(path);
  for (std::size_t k = 0; k < std::size(kSignals); ++k)
    if (kSignals[k] == signal) sigaction(signal, &before[k], nullptr);
  raise(signal);
}

/// Begins to handle the signals, except those that the program ignores, or ends it.
void handleSignals(bool begin) {
  for (std::size_t k = 0; k < std::size(kSignals); ++k) {
    struct sigaction now = {};
    sigaction(kSignals[k], nullptr, &now);
    const bool ours = now.sa_handler == removeTemporaries;
    if (begin && !ours && now.sa_handler != SIG_IGN) {
      before[k] = now;
      now = {};
      now.sa_handler = removeTemporaries;
      now.sa_flags = SA_ONSTACK;  // the executor's fibers have small stacks
      sigaction(kSignals[k], &now, nullptr);
    } else if (!begin && ours) {
      sigaction(kSignals[k], &before[k], nullptr);
    }
  }
}

/// Has a signal remove the file \p path, which must live until forget().
void removeAtSignal(const char* path) {
  const std::lock_guard lock(registering);
  if (std::exchange(owner, getpid()) != getpid())
    for (std::atomic<const char*>& name : temporaries) name = nullptr;
  if (registered++ == 0) handleSignals(true);
  for (std::atomic<const char*>& name : temporaries)
    if (const char* none = nullptr; name.compare_exchange_strong(none, path)) return;
}

void forget(const char* path) {
  const std::lock_guard lock(registering);
  for (std::atomic<const char*>& name : temporaries)
    if (const char* same = path; name.compare_exchange_strong(same, nullptr)) break;
  if (--registered == 0) handleSignals(false);
}

std::FILE* opened(const std::string& path) {
  const int stream = standardStream(path);
  if (stream < 0) return std::fopen(path.c_str(), "wb");
  std::fflush(stdout);
  return fdopen(dup(stream), "wb");
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path) {
  if (!isSpecialFile(path)) {  // a pipe's link is not a path
    std::error_code error;
    target_ = fs::weakly_canonical(path, error).string();
    if (error) refuse(error.message());
    temporary_ = target_ + ".partial-" + std::to_string(getpid());
    removeAtSignal(temporary_.c_str());
  }
  file_ = opened(temporary_.empty() ? path : temporary_);
  if (file_ != nullptr) return;
  const int error = errno;
  if (!temporary_.empty()) forget(temporary_.c_str());
  refuse(std::strerror(error));
}

OutputFile::~OutputFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  if (temporary_.empty()) return;
  std::remove(temporary_.c_str());
  forget(temporary_.c_str());
}

void OutputFile::write(const void* bytes, std::size_t count) {
  if (std::fwrite(bytes, 1, count, file_) != count) refuse(std::strerror(errno));
}

void OutputFile::commit() {
  if (std::fflush(file_) != 0) refuse(std::strerror(errno));
  std::FILE* file = std::exchange(file_, nullptr);
  const bool renamed =
      std::fclose(file) == 0 &&
      (temporary_.empty() || std::rename(temporary_.c_str(), target_.c_str()) == 0);
  const int error = errno;
  if (!temporary_.empty()) {
    if (!renamed) std::remove(temporary_.c_str());
    forget(temporary_.c_str());
  }
  if (!renamed) refuse(std::strerror(error));
}

void OutputFile::refuse(const std::string& why) const { refusePath(path_, why); }

bool isSpecialFile(const std::string& path) {
  if (standardStream(path) >= 0) return true;
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

void checkWritable(const std::string& path) {
  std::error_code ignored;
  if (path.empty()) refusePath("''", "the name is empty");
  if (fs::is_directory(path, ignored)) refusePath(path, "it is a directory");
  // rename() would replace a read-only file in a writable directory.
  const bool there = fs::exists(path, ignored);
  if (there && access(path.c_str(), W_OK) != 0) refusePath(path, std::strerror(errno));
  if (!isSpecialFile(path)) OutputFile attempt(path);
}

void writeWhole(const std::string& path, const std::string& content) {
  OutputFile file(path);
  file.write(content.data(), content.size());
  file.commit();
}

}  // namespace nbody
