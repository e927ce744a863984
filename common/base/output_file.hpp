/// \file
/// Files that are written whole or not at all.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

namespace nbody {

/// A file that is written to a temporary file next to its path and renamed by commit(), so that an
/// earlier file survives any failure. Anything except a regular file (a pipe, /dev/stdout) is
/// written directly. Errors are BadInput, which names the path.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);

  /// Removes a file that was not committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* bytes, std::size_t count);

  /// Path of the temporary file that takes the bytes until commit(), so that others can write there
  /// too. It is empty if the bytes go to the path itself.
  const std::string& temporary() const { return temporary_; }

  /// Renames the temporary file.
  void commit();

  /// Throws BadInput "cannot write PATH: \p why".
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  std::string path_;
  std::string target_;  ///< the path, with links followed
  std::string temporary_;  ///< empty if there is none
  std::FILE* file_ = nullptr;
};

/// Throws BadInput, with the reason, if \p path cannot be written. Leaves no file.
void checkWritable(const std::string& path);

/// Returns whether \p path is a pipe, a terminal or a device, not a regular file or folder.
bool isSpecialFile(const std::string& path);

/// Writes \p content with an OutputFile.
void writeWhole(const std::string& path, const std::string& content);

}  // namespace nbody
