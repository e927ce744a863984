/// \file
/// The bodies of a file as they are read.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "bodies/bodies.hpp"
#include "bodies/input_file.hpp"

namespace nbody {

/// One body as both formats have it, in the order of the columns of CSV.
struct FileBody {
  static constexpr int kNumbers = 7;
  double numbers[kNumbers];  ///< x, y, z, vx, vy, vz, mass

  /// The name of a number: "vx".
  static const char* name(int number) {
    constexpr const char* kNames[kNumbers] = {"x", "y", "z", "vx", "vy", "vz", "mass"};
    return kNames[number];
  }
};

/// Collects bodies; refuses numbers that are not finite, and negative masses.
class FileBodies {
 public:
  /// Allocates for \p count bodies, or refuses the file where there is no memory for them.
  FileBodies(const InputFile& file, std::int64_t count);

  /// \param line  of the file, for the message; 0 where it has no lines
  void add(const FileBody& body, std::int64_t line = 0) {
    const double* n = body.numbers;
    // A number times 0 is 0, unless it is infinite or no number.
    const double zero = n[0] * 0 + n[1] * 0 + n[2] * 0 + n[3] * 0 + n[4] * 0 + n[5] * 0 + n[6] * 0;
    if (!(zero == 0 && n[6] >= 0)) refuse(body, line);
    someMass_ |= n[6] > 0;
    bodies_.add({n[0], n[1], n[2], n[6]}, {n[3], n[4], n[5], 0});
  }

  /// All of them; refuses fewer than two bodies and bodies without any mass.
  Bodies take();

 private:
  [[noreturn]] void refuse(const FileBody& body, std::int64_t line) const;

  const InputFile& file_;
  Bodies bodies_;
  bool someMass_ = false;
};

}  // namespace nbody
