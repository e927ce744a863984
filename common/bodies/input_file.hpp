/// \file
/// The bytes of a file, or of memory that stands for one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nbody {

/// Read in any order and in pieces, so that a file never has to be in memory as a whole. What is
/// wrong with it is thrown as BadInput that names it.
class InputFile {
 public:
  /// Opens \p path. A folder and what has no size (a pipe, a terminal) are refused: a header's
  /// counts are held against the size before anything is allocated for them.
  explicit InputFile(const std::string& path);

  /// The file is \p bytes, which must outlive it; for tests.
  InputFile(std::string name, std::string_view bytes);

  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& name() const { return name_; }
  std::int64_t size() const { return size_; }

  /// Copies \p count bytes from \p offset on; refuses the file if it has become shorter than it
  /// was.
  void read(std::int64_t offset, void* to, std::size_t count) const;

  /// Throws BadInput: cannot read NAME: \p why.
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  std::string name_;
  std::int64_t size_ = 0;
  int descriptor_ = -1;
  std::string_view bytes_;  ///< where there is no descriptor
};

}  // namespace nbody
