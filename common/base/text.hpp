/// \file
/// Words for messages.
#pragma once

#include <string>
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

inline std::string oneLine(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

}  // namespace nbody
