#include "bodies/csv.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "base/output_file.hpp"
#include "base/parallel.hpp"

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

/// The text of a few bodies, in a buffer that is reused.
class CsvText {
 public:
  static constexpr int kBodies = 2048;

  /// Formats the bodies from \p begin to \p end, at most kBodies of them, perhaps none.
  void format(const Bodies& bodies, int begin, int end) {
    char* next = text_.data();
    for (int i = begin; i < end; ++i) {
      const Double4& p = bodies.positions[i];
      const Double4& v = bodies.velocities[i];
      for (double number : {p.x, p.y, p.z, v.x, v.y, v.z, p.w}) {
        next = std::to_chars(next, text_.data() + text_.size(), number).ptr;
        *next++ = ',';
      }
      next[-1] = '\n';
    }
    size_ = next - text_.data();
  }

  void write(OutputFile& file) const { file.write(text_.data(), size_); }

 private:
  static constexpr std::size_t kLongestNumber = 25;  // -2.2250738585072014e-308 and a comma
  std::vector<char> text_ = std::vector<char>(kBodies * FileBody::kNumbers * kLongestNumber);
  std::size_t size_ = 0;
};

}  // namespace

std::int64_t countCsvBodies(const InputFile& file) {
  CsvLines lines(file);
  std::int64_t count = 0;
  for (std::string_view line; lines.next(line);) {
    ++count;
    // Otherwise a file of little but line ends would have 32 times its size allocated for it.
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
  constexpr int kTexts = 16;
  const int count = bodies.count();
  std::vector<CsvText> texts(std::min(kTexts, (count + CsvText::kBodies - 1) / CsvText::kBodies));
  file.write(kCsvColumns.data(), kCsvColumns.size());
  file.write("\n", 1);
  for (int done = 0; done < count; done += kTexts * CsvText::kBodies) {
    // On all cores: one formats numbers more slowly than the disk cache accepts them.
    parallelForEach(static_cast<int>(texts.size()), 1, [&](int k) {
      const int begin = done + k * CsvText::kBodies;
      texts[k].format(bodies, begin, std::min(count, begin + CsvText::kBodies));
    });
    for (const CsvText& text : texts) text.write(file);
  }
}

}  // namespace nbody
