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

std::string csvHeaderFault(std::string_view line) {
  std::string names;
  for (std::string_view field : fieldsOf(line)) {
    if (names.empty() && field.starts_with('#')) field = trimmed(field.substr(1));
    names += (names.empty() ? "" : ",") + lowerCase(field);
  }
  if (names == kCsvColumns) return "";
  return "the columns are " + quoted(line) + ", not " + std::string(kCsvColumns);
}

bool parseCsvLine(std::string_view line, FileBody& body) {
  const char* text = line.data();
  const char* end = text + line.size();
  for (int k = 0; k < FileBody::kNumbers; ++k) {
    text = parseNumber(skipSpaces(text, end), end, body.numbers[k]);
    if (text == nullptr) return false;
    text = skipSpaces(text, end);
    if (k == FileBody::kNumbers - 1) return text == end;
    if (text == end || *text != ',') return false;
    ++text;
  }
  return true;
}

std::string csvLineFault(std::string_view line) {
  const std::vector<std::string_view> fields = fieldsOf(line);
  if (fields.size() != FileBody::kNumbers)
    return std::to_string(fields.size()) + (fields.size() == 1 ? " column" : " columns") +
           ", not the " + std::to_string(FileBody::kNumbers) + " of " + std::string(kCsvColumns);
  const std::string_view field = *std::find_if_not(fields.begin(), fields.end(), isNumber);
  double number;
  const auto [after, error] =
      std::from_chars(field.data() + field.starts_with('+'), field.data() + field.size(), number);
  if (error == std::errc::result_out_of_range && after == field.data() + field.size())
    return quoted(field) + " is beyond double precision";
  return quoted(field) + " is not a number";
}

}  // namespace nbody
