/// \file
/// The bytes of a file, or of memory that replaces one in tests, and the bodies that are read from them.
#pragma once

#include <cmath>
#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bodies/bodies.hpp"

namespace nbody {

/// A file that is read in any order and in pieces, so that it never has to be in memory as a whole. Its functions
/// throw BadInput with the file's name and the mistake.
class InputFile {
 public:
  /// Opens \p path. Refuses folders, and files without a size (a pipe, a terminal): the counts in a header are
  /// compared with the size before anything is allocated.
  explicit InputFile(const std::string& path);

  /// Takes \p bytes as the file's content; for tests.
  InputFile(std::string name, std::string_view bytes);

  const std::string& name() const { return name_; }
  std::int64_t size() const { return size_; }

  /// Copies \p count bytes from \p offset on. Refuses the file if it has become shorter.
  void read(std::int64_t offset, void* to, std::size_t count) const;

  /// Throws BadInput: cannot read NAME: \p why.
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  std::string name_;
  std::int64_t size_ = 0;
  std::unique_ptr<std::istream> stream_;
};

/// One body as both formats have it, in the order of the columns of CSV.
struct FileBody {
  static constexpr int kNumbers = 7;
  static constexpr const char* kNames[kNumbers] = {"x", "y", "z", "vx", "vy", "vz", "mass"};
  double numbers[kNumbers];
};

/// Bodies from a file; refuses numbers that are not finite, and negative masses.
class FileBodies {
 public:
  /// Makes room for \p count bodies, or refuses the file if there is not enough memory.
  /// \param first  number of the first body in the file, from 0 on
  FileBodies(const InputFile& file, std::int64_t count, std::int64_t first = 0);

  /// Sets body \p k, from 0 to count - 1, or refuses the file. Several threads may set different bodies.
  /// \param line  the body's line, which the message names; 0 if the file has no lines
  void set(std::int64_t k, const FileBody& body, std::int64_t line = 0) {
    const double* n = body.numbers;
    // A number times 0 is 0, unless it is infinite or no number.
    const double zero = n[0] * 0 + n[1] * 0 + n[2] * 0 + n[3] * 0 + n[4] * 0 + n[5] * 0 + n[6] * 0;
    if (!(zero == 0 && n[6] >= 0)) refuse(k, body, line);
    bodies_.positions[k] = {n[0], n[1], n[2], n[6]};
    bodies_.velocities[k] = {n[3], n[4], n[5], 0};
  }

  Bodies take() { return std::move(bodies_); }

 private:
  [[noreturn]] void refuse(std::int64_t k, const FileBody& body, std::int64_t line) const;

  const InputFile& file_;
  std::int64_t first_;
  Bodies bodies_;
};

}  // namespace nbody
