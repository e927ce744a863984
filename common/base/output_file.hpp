/// \file
/// Files that are written whole or not at all.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

namespace nbody {

/// Writes to a temporary file next to the path, which commit() renames, so that an earlier file
/// survives any failure. Anything but a regular file (a pipe, /dev/stdout) is written directly.
/// Errors are BadInput that names the path.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);

  /// Removes what was not committed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* bytes, std::size_t count);

  /// Path of the temporary file that takes the bytes until commit(), so that others can write there
  /// too. It is empty if the bytes go to the path itself.
  const std::string& temporary() const { return temporary_; }

  /// Puts the file in place.
  void commit();

  /// Throws BadInput: cannot write PATH: \p why.
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  std::string path_;
  std::string target_;  ///< where a link leads
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
