#include "bodies/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>
#include <vector>

#include "base/output_file.hpp"
#include "base/parallel.hpp"

namespace nbody {

namespace {

/// The lines of a file, the header and empty ones apart. Reads in pieces of 1 MiB, whatever the
/// length of the file and of its lines.
class CsvLines {
 public:
  explicit CsvLines(const InputFile& file)
      : file_(file), buffer_(std::min<std::int64_t>(file.size(), kBuffer)) {}

  /// Sets \p line to the next line, trimmed; valid until the next call. False at the end of the
  /// file.
  bool next(std::string_view& line) {
    while (nextOfAll(line)) {
      line = trimmed(line);
      if (line.empty()) continue;
      if (std::exchange(begun_, true) || !isCsvHeader(line)) return true;
      if (std::string fault = readCsvHeader(line, columns_); !fault.empty()) refuse(fault);
    }
    return false;
  }

  /// Those that a header named, once the first line was read.
  const CsvColumns& columns() const { return columns_; }

  /// Of the last line, from 1 on.
  std::int64_t number() const { return number_; }

  [[noreturn]] void refuse(const std::string& why) const {
    file_.refuse("line " + std::to_string(number_) + ": " + why);
  }

 private:
  static constexpr std::size_t kBuffer = 1 << 20;
  static constexpr std::size_t kLongestLine = 65536;  // a binary file is often a single line
  static_assert(kBuffer > kLongestLine);

  /// Without its end, and without a byte order mark at the file's start.
  bool nextOfAll(std::string_view& line) {
    std::size_t length = unread().find('\n');
    if (length == line.npos && offset_ < file_.size()) {
      refill();
      length = unread().find('\n');
    }
    if (begin_ == end_) return false;
    line = unread().substr(0, length);
    begin_ += line.size() + (length == line.npos ? 0 : 1);
    ++number_;
    if (line.size() > kLongestLine)
      file_.refuse("line " + std::to_string(number_) + " is longer than " +
                   std::to_string(kLongestLine) + " characters; this is no CSV of bodies");
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (number_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    return true;
  }

  /// What was read and not yet given.
  std::string_view unread() const { return {buffer_.data() + begin_, end_ - begin_}; }

  /// Moves the begun line to the buffer's start and reads on behind it.
  void refill() {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= std::exchange(begin_, 0);
    const std::size_t more = std::min<std::int64_t>(buffer_.size() - end_, file_.size() - offset_);
    file_.read(offset_, buffer_.data() + end_, more);
    end_ += more;
    offset_ += more;
  }

  const InputFile& file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  ///< of unread(), in the buffer
  std::int64_t offset_ = 0;  ///< in the file, of what was not yet read
  std::int64_t number_ = 0;
  bool begun_ = false;
  CsvColumns columns_;
};

constexpr int kBodiesInText = 2048;

/// Sets \p text, whose memory is reused, to that of the bodies from \p begin to \p end, at most
/// kBodiesInText of them, perhaps none.
void format(std::string& text, const Bodies& bodies, int begin, int end) {
  constexpr std::size_t kLongestNumber = 25;  // -2.2250738585072014e-308 and a comma
  text.resize(kBodiesInText * FileBody::kNumbers * kLongestNumber);
  char* next = text.data();
  char* const room = next + text.size();
  for (int i = begin; i < end; ++i) {
    const Double4& p = bodies.positions[i];
    const Double4& v = bodies.velocities[i];
    for (double number : {p.x, p.y, p.z, v.x, v.y, v.z, p.w}) {
      next = std::to_chars(next, room, number).ptr;
      *next++ = ',';
    }
    next[-1] = '\n';
  }
  text.resize(next - text.data());
}

}  // namespace

CsvFacts readCsvFacts(const InputFile& file) {
  CsvLines lines(file);
  CsvFacts facts;
  for (std::string_view line; lines.next(line);) {
    ++facts.count;
    // Otherwise a file of little but line ends would have 32 times its size allocated for it.
    if (line.size() < kShortestCsvLine) break;
  }
  facts.columns = lines.columns();
  return facts;
}

Bodies readCsvBodies(const InputFile& file, const CsvFacts& facts) {
  FileBodies bodies(file, facts.count);
  CsvLines lines(file);
  FileBody body;
  for (std::string_view line; lines.next(line);) {
    if (!parseCsvLine(line, facts.columns, body)) lines.refuse(csvLineFault(line, facts.columns));
    bodies.add(body, lines.number());
  }
  return bodies.take();
}

void writeCsv(OutputFile& file, const Bodies& bodies) {
  constexpr int kTexts = 16;
  const int count = bodies.count();
  std::vector<std::string> texts(std::min(kTexts, (count + kBodiesInText - 1) / kBodiesInText));
  file.write(kCsvColumns.data(), kCsvColumns.size());
  file.write("\n", 1);
  for (int done = 0; done < count; done += kTexts * kBodiesInText) {
    // On all cores: one formats numbers more slowly than the disk cache accepts them.
    parallelForEach(static_cast<int>(texts.size()), 1, [&](int k) {
      const int begin = done + k * kBodiesInText;
      format(texts[k], bodies, begin, std::min(count, begin + kBodiesInText));
    });
    for (const std::string& text : texts) file.write(text.data(), text.size());
  }
}

}  // namespace nbody
