/// \file
/// The lines of a file, one after the other.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "bodies/input_file.hpp"

namespace nbody {

/// Reads in pieces of 1 MiB, whatever the length of the file and of its lines.
class LineReader {
 public:
  static constexpr std::size_t kLongestLine = 65536;  // a binary file is often a single line

  explicit LineReader(const InputFile& file);

  /// Sets \p line to the next line, without its end and without a byte order mark at the file's
  /// start; valid until the next call. False at the end of the file.
  bool next(std::string_view& line);

  /// Of the last line, from 1 on.
  std::int64_t number() const { return number_; }

 private:
  void refill();

  const InputFile& file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  ///< of what was not yet given, in the buffer
  std::size_t end_ = 0;  ///< of what was read
  std::int64_t offset_ = 0;  ///< in the file, of what was not yet read
  std::int64_t number_ = 0;
};

}  // namespace nbody
