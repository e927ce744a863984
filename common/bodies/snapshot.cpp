#include "bodies/snapshot.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/output_file.hpp"
#include "base/text.hpp"

namespace nbody {

namespace {

/// In any case of letters: "BODIES.CSV" ends in ".csv".
bool endsIn(std::string_view name, std::string_view extension) {
  return lowerCase(name).ends_with(extension);
}

/// Returns whether the file begins like text. A tipsy header's number of dimensions has bytes of 0.
bool looksLikeText(const InputFile& file) {
  char start[512];
  const std::size_t size = std::min<std::int64_t>(file.size(), sizeof start);
  file.read(0, start, size);
  return std::none_of(start, start + size, [](unsigned char c) {
    return c == 0x7f || (c < ' ' && c != '\t' && c != '\r' && c != '\n');
  });
}

/// The name of a format that others use for bodies and that is not read here, by the file's first bytes; empty
/// if they are of none.
std::string otherFormat(const InputFile& file) {
  using namespace std::string_view_literals;
  struct Magic {
    std::string_view bytes;
    const char* format;
  };
  // Gadget's are lengths of its first record, in either order of bytes.
  static constexpr Magic kMagic[] = {
      {"\x89HDF\r\n\x1a\n"sv, "HDF5"},
      {"\x93NUMPY"sv, "numpy (.npy)"},
      {"PK\x03\x04"sv, "numpy (.npz) or another zip archive"},
      {"\x1f\x8b"sv, "gzip"},
      {"\x08\0\0\0HEAD"sv, "Gadget (format 2)"},
      {"\0\0\0\x08HEAD"sv, "Gadget (format 2)"},
      {"\0\x01\0\0"sv, "Gadget (format 1)"},
      {"\0\0\x01\0"sv, "Gadget (format 1)"},
      {"\x92\x09"sv, "NEMO"},
      {"\x09\x92"sv, "NEMO"},
      {"\x92\x0b"sv, "NEMO"},
      {"\x0b\x92"sv, "NEMO"},
  };
  char start[8] = {};
  const std::size_t size = std::min<std::int64_t>(file.size(), sizeof start);
  file.read(0, start, size);
  for (const auto& [bytes, format] : kMagic)
    if (std::string_view(start, size).starts_with(bytes)) return format;
  return "";
}

}  // namespace

SnapshotFile::SnapshotFile(const std::string& path) : file_(path) { open(); }

SnapshotFile::SnapshotFile(std::string name, std::string_view bytes)
    : file_(std::move(name), bytes) {
  open();
}

void SnapshotFile::open() {
  csv_ = endsIn(file_.name(), ".csv") || (!looksLikeTipsy(file_) && looksLikeText(file_));
  if (const std::string other = otherFormat(file_); !other.empty() && !csv_ && !fitsTipsy(file_))
    refuse("its format is " + other +
           ", which is not read here; convert it to tipsy or CSV (columns " +
           std::string(kCsvColumns) + ")");
  if (csv_) csvFacts_ = readCsvFacts(file_);
  else header_ = readTipsyHeader(file_);
  count_ = csv_ ? csvFacts_.count : header_.count();
  if (count_ > kMaxBodies)
    file_.refuse("it holds " + std::to_string(count_) + " bodies, more than the " +
                 std::to_string(kMaxBodies) + " that a run can have");
  if (!csv_) refuseFew();  // CSV follows after the check of its lines
}

std::string SnapshotFile::format() const {
  if (csv_) return "CSV";
  return header_.order == std::endian::big ? "tipsy, big-endian" : "tipsy, little-endian";
}

double SnapshotFile::softening() const {
  const float single = static_cast<float>(header_.softening);
  if (!(single > 0) || !std::isfinite(single)) return 0;
  // 0.01 in single precision is 0.00999999978. Its shortest digits are what was asked for in the
  // run that wrote it, and a run that goes on must have the same softening.
  char digits[32];
  const char* end = std::to_chars(digits, digits + sizeof digits, single).ptr;
  double softening = 0;
  std::from_chars(digits, end, softening);
  return softening;
}

std::string SnapshotFile::unused() const {
  if (!csvFacts_.columns.ignored.empty()) return "ignored columns " + csvFacts_.columns.ignored;
  if (header_.softeningsDiffer)
    return "its softening differs from body to body and is not used (some programs write numbers "
           "of "
           "bodies there); --softening sets one for all";
  return "";
}

void SnapshotFile::refuseFew() const {
  if (count_ == 0) refuse("it holds no bodies");
  if (count_ == 1) refuse("it holds one body, on which there is no force to compute");
}

Bodies SnapshotFile::read() const {
  Bodies bodies = csv_ ? readCsvBodies(file_, csvFacts_) : read(0, count_);
  refuseFew();
  const auto& all = bodies.positions;
  if (std::none_of(all.begin(), all.end(), [](const Double4& body) { return body.w > 0; }))
    refuse("the masses of all its bodies are 0");
  return bodies;
}

Bodies SnapshotFile::read(std::int64_t first, std::int64_t count) const {
  return readTipsyBodies(file_, header_, first, count);
}

std::optional<std::endian> tipsyOrder(const std::string& path) {
  if (endsIn(path, ".csv")) return std::nullopt;
  return endsIn(path, ".std") ? std::endian::big : std::endian::little;
}

void writeSnapshot(const std::string& path, const Bodies& bodies, double time, double softening) {
  OutputFile file(path);
  if (const auto order = tipsyOrder(path)) writeTipsy(file, bodies, time, softening, *order);
  else writeCsv(file, bodies);
  file.commit();
}

}  // namespace nbody
