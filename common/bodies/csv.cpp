#include "bodies/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "base/output_file.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"

namespace nbody {

namespace {

constexpr std::size_t kShortestLine = 13;  // 0,0,0,0,0,0,1

bool isSpace(char c) { return c == ' ' || c == '\t'; }

const char* skipSpaces(const char* text, const char* end) {
  while (text != end && isSpace(*text)) ++text;
  return text;
}

/// Reads a number and returns where it ends; nullptr where there is none or it is beyond double
/// precision.
const char* parseNumber(const char* text, const char* end, double& number) {
  if (text != end && *text == '+' && text + 1 != end && text[1] != '-')
    ++text;  // from_chars knows no plus
  const auto [after, error] = std::from_chars(text, end, number);
  if (error == std::errc()) return after;
  if (error != std::errc::result_out_of_range) return nullptr;
  // Underflow gives 0 or nearly, as in other readers; overflow is refused.
  number = std::strtod(std::string(text, after).c_str(), nullptr);
  return std::isfinite(number) ? after : nullptr;
}

/// Returns the text without spaces and tabs at its ends.
std::string_view trimmed(std::string_view text) {
  while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> fieldsOf(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t comma = line.find(',');
    fields.push_back(trimmed(line.substr(0, comma)));
    if (comma == line.npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

/// Printable characters, at most 40 of them.
std::string quoted(std::string_view text) {
  constexpr std::size_t kMax = 40;
  std::string result = "'";
  for (char c : text.substr(0, kMax)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > kMax ? "...'" : "'");
}

bool isNumber(std::string_view field) {
  double number;
  return parseNumber(field.data(), field.data() + field.size(), number) ==
         field.data() + field.size();
}

/// Returns whether a file's first line names columns, that is, none of its fields is a number.
bool isHeader(std::string_view line) {
  const std::vector<std::string_view> fields = fieldsOf(line);
  return std::none_of(fields.begin(), fields.end(), isNumber);
}

/// Says that the columns of \p line are not separated by commas; empty if they seem to be.
std::string otherSeparator(std::string_view line) {
  const bool commas = line.find(',') != line.npos;  // of decimal fractions, perhaps
  for (const auto& [separator, name] :
       {std::pair(';', "semicolons"), {'\t', "tabs"}, {' ', "spaces"}})
    if (std::count(line.begin(), line.end(), separator) >= FileBody::kNumbers - 1 &&
        (separator != ' ' || !commas))
      return std::string("its columns are separated by ") + name + "; use commas";
  return "";
}

/// Sets \p columns to those that a header names. Returns what is wrong with it; empty if nothing is.
std::string readHeader(std::string_view line, CsvColumns& columns) {
  constexpr const char* const* kBegin = FileBody::kNames;
  constexpr const char* const* kEnd = FileBody::kNames + FileBody::kNumbers;
  if (std::string other = otherSeparator(line); !other.empty()) return other;
  columns = {{}, ""};
  for (std::string_view field : fieldsOf(line)) {
    if (columns.numbers.empty() && field.starts_with('#')) field = trimmed(field.substr(1));
    std::string name = lowerCase(field);
    if (name == "m") name = "mass";
    const auto found = std::find(kBegin, kEnd, name);
    if (found == kEnd) columns.ignored += (columns.ignored.empty() ? "" : ", ") + quoted(field);
    columns.numbers.push_back(found == kEnd ? CsvColumns::kIgnored
                                            : static_cast<int>(found - kBegin));
  }
  for (int k = 0; k < FileBody::kNumbers; ++k) {
    const auto times = std::count(columns.numbers.begin(), columns.numbers.end(), k);
    if (times != 1)
      return std::string(times == 0 ? "no column" : "more than one column") + " is named " +
             FileBody::kNames[k] + " in " + quoted(line) + "; needed are " +
             std::string(kCsvColumns);
  }
  return "";
}

/// Reads the seven numbers of \p line. False if it has too many or too few columns, or one is no number.
bool parseLine(std::string_view line, const CsvColumns& columns, FileBody& body) {
  const char* text = line.data();
  const char* end = text + line.size();
  for (std::size_t column = 0;; ++text) {
    if (const int k = columns.numbers[column]; k == CsvColumns::kIgnored) {
      text = std::find(text, end, ',');
    } else {
      text = parseNumber(skipSpaces(text, end), end, body.numbers[k]);
      if (text == nullptr) return false;
      text = skipSpaces(text, end);
    }
    if (++column == columns.numbers.size()) return text == end;
    if (text == end || *text != ',') return false;
  }
}

/// Why parseLine() gave false.
std::string lineFault(std::string_view line, const CsvColumns& columns) {
  if (std::string other = otherSeparator(line); !other.empty()) return other;
  const std::vector<std::string_view> fields = fieldsOf(line);
  if (const std::size_t expected = columns.numbers.size(); fields.size() != expected) {
    const bool named = expected != FileBody::kNumbers || !columns.ignored.empty();
    return std::to_string(fields.size()) + (fields.size() == 1 ? " column" : " columns") +
           ", not the " + std::to_string(expected) + " of " +
           (named ? "the header" : std::string(kCsvColumns));
  }
  std::size_t column = 0;
  while (columns.numbers[column] == CsvColumns::kIgnored || isNumber(fields[column])) ++column;
  return quoted(fields[column]) + " is not a number";
}

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
      if (std::exchange(begun_, true) || !isHeader(line)) return true;
      if (std::string fault = readHeader(line, columns_); !fault.empty()) refuse(fault);
    }
    return false;
  }

  /// Columns that a header named, or the default ones. Valid once the first line was read.
  const CsvColumns& columns() const { return columns_; }

  /// Number of the last line, from 1 on.
  std::int64_t number() const { return number_; }

  [[noreturn]] void refuse(const std::string& why) const {
    file_.refuse("line " + std::to_string(number_) + ": " + why);
  }

 private:
  static constexpr std::size_t kBuffer = 1 << 20;
  static constexpr std::size_t kLongestLine = 65536;  // a binary file is often a single line
  static_assert(kBuffer > kLongestLine);

  /// Reads the next line, without its end and without a byte order mark at the file's start.
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

  /// Bytes that were read and not yet returned as lines.
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
  std::size_t begin_ = 0, end_ = 0;  ///< the bounds of unread() in the buffer
  std::int64_t offset_ = 0;  ///< start of the data in the file that was not read yet
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
    if (line.size() < kShortestLine) break;
  }
  facts.columns = lines.columns();
  return facts;
}

Bodies readCsvBodies(const InputFile& file, const CsvFacts& facts) {
  FileBodies bodies(file, facts.count);
  CsvLines lines(file);
  FileBody body;
  std::int64_t read = 0;
  for (std::string_view line; lines.next(line);) {
    if (!parseLine(line, facts.columns, body)) lines.refuse(lineFault(line, facts.columns));
    if (read == facts.count) file.refuse("it became longer while it was read");
    bodies.set(read++, body, lines.number());
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
