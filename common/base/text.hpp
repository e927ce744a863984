/// \file
/// Words for messages.
#pragma once

#include <charconv>
#include <cstdarg>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nbody {

/// "a, b, c"
inline std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}
inline std::string joined(const std::vector<int>& numbers) {
  std::vector<std::string> names;
  for (int number : numbers) names.push_back(std::to_string(number));
  return joined(names);
}

/// Of ASCII's letters, whatever the locale.
inline std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

/// \p text as a number, all of it; nothing where it is not one or does not fit.
template <class Number>
std::optional<Number> parse(const std::string& text) {
  Number number;
  const char* end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && after == end ? std::optional(number) : std::nullopt;
}

/// What printf() would print.
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

inline std::string oneLine(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

}  // namespace nbody
