/// \file
/// Snapshot files: the bodies at one time, in the formats that people have.
#pragma once

#include <string>
#include <string_view>

#include "bodies/bodies.hpp"
#include "bodies/input_file.hpp"
#include "bodies/tipsy.hpp"

namespace nbody {

/// A file of bodies, recognised and measured, not yet read. Its format is that of its name where
/// that ends in .csv, otherwise that of its content: tipsy (tipsy.hpp) or CSV (csv.hpp). BadInput
/// says what is wrong with it.
class SnapshotFile {
 public:
  explicit SnapshotFile(const std::string& path);

  /// As if \p bytes were the content of a file of that name.
  SnapshotFile(std::string name, std::string_view bytes);

  std::int64_t count() const { return count_; }

  /// "tipsy, big-endian", "tipsy, little-endian" or "CSV".
  std::string format() const;

  /// When the snapshot was taken, in its own unit of time; 0 for CSV, which does not say.
  double time() const { return header_.time; }

  /// The softening length in the file, with its decimal digits, or 0 where it has none.
  double softening() const;

  /// Takes little more memory than the bodies.
  Bodies read() const;

 private:
  void open();

  InputFile file_;
  bool csv_ = false;
  TipsyHeader header_ = {};
  std::int64_t count_ = 0;
};

/// Writes \p bodies whole or not at all: as CSV, in double precision, where \p path ends in .csv;
/// as big-endian tipsy where it ends in .std; otherwise as little-endian tipsy, both in single
/// precision.
void writeSnapshot(const std::string& path, const Bodies& bodies, double time, double softening);

}  // namespace nbody
