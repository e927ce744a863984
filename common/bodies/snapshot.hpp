/// \file
/// Snapshot files: the bodies at one time, in the formats that people have.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bodies/bodies.hpp"
#include "bodies/csv.hpp"
#include "bodies/input_file.hpp"
#include "bodies/tipsy.hpp"

namespace nbody {

/// A file of bodies, recognised and measured, not yet read. Its format is that of its name where
/// that ends in .csv, otherwise that of its content: tipsy (tipsy.hpp) or CSV (csv.hpp). BadInput
/// says what is wrong with it.
class SnapshotFile {
 public:
  explicit SnapshotFile(const std::string& path);

  /// Treats \p bytes as the content of a file of that name.
  SnapshotFile(std::string name, std::string_view bytes);

  const std::string& name() const { return file_.name(); }
  std::int64_t count() const { return count_; }

  /// "tipsy, big-endian", "tipsy, little-endian" or "CSV".
  std::string format() const;

  /// When the snapshot was taken, in its own unit of time; 0 for CSV, which does not say.
  double time() const { return header_.time; }

  /// The softening length in the file, with its decimal digits. 0 if it has none, or not one for all bodies.
  double softening() const;

  /// Says in one line which part of the file is not used; empty if all of it is.
  std::string unused() const;

  /// Takes little more memory than the bodies. Refuses fewer than two, and bodies without any mass.
  Bodies read() const;

  /// \p count bodies of a tipsy file from \p first on; of others none can be read without all before.
  Bodies read(std::int64_t first, std::int64_t count) const;
  bool isTipsy() const { return !csv_; }

  /// Throws BadInput: cannot read NAME: \p why.
  [[noreturn]] void refuse(const std::string& why) const { file_.refuse(why); }

 private:
  void open();
  void refuseFew() const;

  InputFile file_;
  bool csv_ = false;
  TipsyHeader header_ = {};
  CsvFacts csvFacts_;
  std::int64_t count_ = 0;
};

/// The order of bytes in which writeSnapshot() writes tipsy to \p path; nothing where it writes CSV.
std::optional<std::endian> tipsyOrder(const std::string& path);

/// Writes \p bodies whole or not at all: as CSV, in double precision, where \p path ends in .csv;
/// as big-endian tipsy where it ends in .std; otherwise as little-endian tipsy, both in single
/// precision.
void writeSnapshot(const std::string& path, const Bodies& bodies, double time, double softening);

}  // namespace nbody
