/// \file
/// The bytes of a file, or of memory that stands for one, and the bodies that are read from them.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "bodies/bodies.hpp"

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

/// One body as both formats have it, in the order of the columns of CSV.
struct FileBody {
  static constexpr int kNumbers = 7;
  static constexpr const char* kNames[kNumbers] = {"x", "y", "z", "vx", "vy", "vz", "mass"};
  double numbers[kNumbers];
};

/// Collects bodies; refuses numbers that are not finite, and negative masses.
class FileBodies {
 public:
  /// Allocates for \p count bodies, or refuses the file where there is no memory for them.
  /// \param first  the place of the first in the file
  FileBodies(const InputFile& file, std::int64_t count, std::int64_t first = 0);

  /// \param line  number in the file, which the message names; 0 if the file has no lines
  void add(const FileBody& body, std::int64_t line = 0) {
    const double* n = body.numbers;
    // A number times 0 is 0, unless it is infinite or no number.
    const double zero = n[0] * 0 + n[1] * 0 + n[2] * 0 + n[3] * 0 + n[4] * 0 + n[5] * 0 + n[6] * 0;
    if (!(zero == 0 && n[6] >= 0)) refuse(body, line);
    bodies_.add({n[0], n[1], n[2], n[6]}, {n[3], n[4], n[5], 0});
  }

  Bodies take() { return std::move(bodies_); }

 private:
  [[noreturn]] void refuse(const FileBody& body, std::int64_t line) const;

  const InputFile& file_;
  std::int64_t first_;
  Bodies bodies_;
};

}  // namespace nbody
