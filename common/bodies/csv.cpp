#include "bodies/csv.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "bodies/csv_line.hpp"
#include "bodies/file_bodies.hpp"
#include "bodies/line_reader.hpp"
#include "program/output_file.hpp"

namespace nbody {

namespace {

/// The lines of a file that are not empty, the header apart.
class CsvLines {
 public:
  explicit CsvLines(const InputFile& file) : file_(file), reader_(file) {}

  bool next(std::string_view& line) {
    while (reader_.next(line)) {
      line = trimmed(line);
      if (line.empty()) continue;
      if (!std::exchange(begun_, true) && isCsvHeader(line)) {
        if (std::string fault = csvHeaderFault(line); !fault.empty()) refuse(fault);
        continue;
      }
      return true;
    }
    return false;
  }

  std::int64_t number() const { return reader_.number(); }

  [[noreturn]] void refuse(const std::string& why) const {
    file_.refuse("line " + std::to_string(number()) + ": " + why);
  }

 private:
  const InputFile& file_;
  LineReader reader_;
  bool begun_ = false;
};

}  // namespace

std::int64_t countCsvBodies(const InputFile& file) {
  CsvLines lines(file);
  std::int64_t count = 0;
  for (std::string_view line; lines.next(line);) {
    ++count;
    // Without this a file of line ends and little else would ask for 32 times its size of memory.
    if (line.size() < kShortestCsvLine) break;
  }
  return count;
}

Bodies readCsvBodies(const InputFile& file, std::int64_t count) {
  FileBodies bodies(file, count);
  CsvLines lines(file);
  FileBody body;
  for (std::string_view line; lines.next(line);) {
    if (!parseCsvLine(line, body)) lines.refuse(csvLineFault(line));
    bodies.add(body, lines.number());
  }
  return bodies.take();
}

void writeCsv(OutputFile& file, const Bodies& bodies) {
  constexpr std::size_t kLongestNumber = 25;  // -2.2250738585072014e-308 and a comma
  constexpr std::size_t kBuffer = 1 << 20;
  std::vector<char> buffer(kBuffer);
  char* const end = buffer.data() + buffer.size();
  char* next = std::copy(kCsvColumns.begin(), kCsvColumns.end(), buffer.data());
  *next++ = '\n';
  for (int i = 0; i < bodies.count(); ++i) {
    if (end - next < static_cast<std::ptrdiff_t>(FileBody::kNumbers * kLongestNumber)) {
      file.write(buffer.data(), next - buffer.data());
      next = buffer.data();
    }
    const Double4& p = bodies.positions[i];
    const Double4& v = bodies.velocities[i];
    for (double number : {p.x, p.y, p.z, v.x, v.y, v.z, p.w}) {
      next = std::to_chars(next, end, number).ptr;
      *next++ = ',';
    }
    next[-1] = '\n';
  }
  file.write(buffer.data(), next - buffer.data());
}

}  // namespace nbody
