#include "bodies/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <vector>

#include "base/text.hpp"

namespace nbody {

namespace {

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

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
  return text;
}

bool isCsvHeader(std::string_view line) {
  const std::vector<std::string_view> fields = fieldsOf(line);
  return std::none_of(fields.begin(), fields.end(), isNumber);
}

std::string readCsvHeader(std::string_view line, CsvColumns& columns) {
  constexpr const char* const* kBegin = FileBody::kNames;
  constexpr const char* const* kEnd = FileBody::kNames + FileBody::kNumbers;
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

bool parseCsvLine(std::string_view line, const CsvColumns& columns, FileBody& body) {
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

std::string csvLineFault(std::string_view line, const CsvColumns& columns) {
  const std::vector<std::string_view> fields = fieldsOf(line);
  if (const std::size_t expected = columns.numbers.size(); fields.size() != expected) {
    const bool named = expected != FileBody::kNumbers || !columns.ignored.empty();
    return std::to_string(fields.size()) + (fields.size() == 1 ? " column" : " columns") +
           ", not the " + std::to_string(expected) + " of " +
           (named ? "the header" : std::string(kCsvColumns));
  }
  std::size_t column = 0;
  while (columns.numbers[column] == CsvColumns::kIgnored || isNumber(fields[column])) ++column;
  const std::string_view field = fields[column];
  double number;
  const auto [after, error] =
      std::from_chars(field.data() + field.starts_with('+'), field.data() + field.size(), number);
  if (error == std::errc::result_out_of_range && after == field.data() + field.size())
    return quoted(field) + " is beyond double precision";
  return quoted(field) + " is not a number";
}

}  // namespace nbody
