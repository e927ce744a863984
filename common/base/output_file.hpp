/// \file
/// A file that is there whole or not at all.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

namespace nbody {

/// A file in the making. It is written piece by piece to a temporary file beside its path, which
/// commit() renames, so that an earlier file survives any failure. What is no regular file (a pipe,
/// /dev/stdout) is written to directly. What goes wrong is thrown as BadInput that names the path.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);

  /// Removes what was not committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* bytes, std::size_t count);

  /// All has been written: from now on it is the file of that path.
  void commit();

  /// Throws BadInput: cannot write PATH: \p why.
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  std::string path_;
  std::string target_;  ///< the file that a link stands for
  std::string temporary_;  ///< empty where there is none
  std::FILE* file_ = nullptr;
};

/// Throws BadInput, with the reason, where \p path cannot be written. Leaves nothing behind.
void checkWritable(const std::string& path);

/// Whether \p path is neither a regular file nor a folder, but a pipe, a terminal or a device.
bool isSpecialFile(const std::string& path);

/// Writes \p content as an OutputFile.
void writeWhole(const std::string& path, const std::string& content);

}  // namespace nbody
