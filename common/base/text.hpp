/// \file
/// Text for messages.
#pragma once

#include <charconv>
#include <cstdarg>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace nbody {

/// Returns "a, b, c".
template <class Part>
std::string joined(const std::vector<Part>& parts) {
  std::ostringstream text;
  for (const Part& part : parts) text << (text.tellp() > 0 ? ", " : "") << part;
  return text.str();
}

/// Returns the number that \p text is; nothing if it is no number, has more text or does not fit.
template <class Number>
std::optional<Number> parse(const std::string& text) {
  Number number;
  const char* end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && after == end ? std::optional(number) : std::nullopt;
}

/// Returns what printf() would print.
[[gnu::format(printf, 1, 2)]] inline std::string formatted(const char* format, ...) {
  std::va_list values, again;
  va_start(values, format);
  va_copy(again, values);
  std::string text(std::vsnprintf(nullptr, 0, format, values), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  va_end(values);
  return text;
}

/// Returns \p text with ASCII letters in lower case, in any locale.
inline std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

inline std::string oneLine(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

}  // namespace nbody
