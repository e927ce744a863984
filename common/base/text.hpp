/// \file
/// Words for messages.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace nbody {

/// As printf() would print it, at most 199 characters.
[[gnu::format(printf, 1, 2)]] inline std::string formatted(const char* format, ...) {
  char text[200];
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return text;
}

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

inline std::string oneLine(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

}  // namespace nbody
