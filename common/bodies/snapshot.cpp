#include "bodies/snapshot.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/output_file.hpp"
#include "base/text.hpp"
#include "bodies/csv.hpp"

namespace nbody {

namespace {

/// In any case of letters: "BODIES.CSV" ends in ".csv".
bool endsIn(std::string_view name, std::string_view extension) {
  return lowerCase(name).ends_with(extension);
}

/// Whether the file begins as text does. A tipsy header has bytes of 0 in its number of dimensions.
bool looksLikeText(const InputFile& file) {
  char start[512];
  const std::size_t size = std::min<std::int64_t>(file.size(), sizeof start);
  file.read(0, start, size);
  return std::none_of(start, start + size, [](unsigned char c) {
    return c == 0x7f || (c < ' ' && c != '\t' && c != '\r' && c != '\n');
  });
}

}  // namespace

SnapshotFile::SnapshotFile(const std::string& path) : file_(path) { open(); }

SnapshotFile::SnapshotFile(std::string name, std::string_view bytes)
    : file_(std::move(name), bytes) {
  open();
}

void SnapshotFile::open() {
  csv_ = endsIn(file_.name(), ".csv") || (!looksLikeTipsy(file_) && looksLikeText(file_));
  if (!csv_) header_ = readTipsyHeader(file_);
  count_ = csv_ ? countCsvBodies(file_) : header_.count();
  if (count_ > kMaxBodies)
    file_.refuse("it holds " + std::to_string(count_) + " bodies, more than the " +
                 std::to_string(kMaxBodies) + " that a run can have");
  if (!csv_) refuseFew();  // of CSV once its lines are right
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

void SnapshotFile::refuseFew() const {
  if (count_ == 0) refuse("it holds no bodies");
  if (count_ == 1) refuse("it holds one body, on which there is no force to compute");
}

Bodies SnapshotFile::read() const {
  Bodies bodies = csv_ ? readCsvBodies(file_, count_) : read(0, count_);
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
