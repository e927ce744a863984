/// \file
/// Snapshot files: the bodies at one time, in tipsy or CSV.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bodies/bodies.hpp"
#include "bodies/csv.hpp"
#include "bodies/input_file.hpp"
#include "bodies/tipsy.hpp"

namespace nbody {

/// A file of bodies whose format and size are known, not yet read. A name that ends in .csv means CSV (csv.hpp);
/// otherwise the content decides: tipsy (tipsy.hpp) or CSV. Its functions throw BadInput with the mistake.
class SnapshotFile {
 public:
  explicit SnapshotFile(const std::string& path);

  /// Treats \p bytes as the content of a file of that name.
  SnapshotFile(std::string name, std::string_view bytes);

  const std::string& name() const { return file_.name(); }
  std::int64_t count() const { return count_; }

  /// Returns "tipsy, big-endian", "tipsy, little-endian" or "CSV".
  std::string format() const;

  /// Returns the time of the snapshot, in the file's unit of time; 0 for CSV, which has none.
  double time() const { return header_.time; }

  /// Returns the softening length in the file, with its decimal digits; 0 if it has none, or several.
  double softening() const;

  /// Says in one line which part of the file is not used; empty if all of it is.
  std::string unused() const;

  /// Reads all bodies. Takes little more memory than they do. Refuses fewer than two, and bodies without any mass.
  Bodies read() const;

  /// Reads \p count bodies from \p first on; only from a tipsy file.
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

/// Returns the order of bytes in which writeSnapshot() writes tipsy to \p path; nothing if it writes CSV.
std::optional<std::endian> tipsyOrder(const std::string& path);

/// Writes \p bodies completely or not at all. If \p path ends in .csv, writes CSV in double precision; if it ends in
/// .std, big-endian tipsy; otherwise little-endian tipsy, both in single precision. Throws BadInput.
void writeSnapshot(const std::string& path, const Bodies& bodies, double time, double softening);

}  // namespace nbody
