/// \file
/// Checks of the texts on a command line.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "base/text.hpp"

namespace nbody {

/// Says in one line what is wrong with a text; empty if nothing is.
using TextCheck = std::function<std::string(const std::string& text)>;

/// A check that a text is a whole number between \p least and \p most. A minus is only for negative
/// numbers: some versions of CLI11 take -0 for 0, others cannot convert it.
inline TextCheck wholeNumber(long long least, long long most) {
  return [=](const std::string& text) -> std::string {
    auto value = parse<long long>(text);
    const bool hasNeedlessMinus = least >= 0 && text.starts_with('-');
    if (value && *value >= least && *value <= most && !hasNeedlessMinus) return "";
    return "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most) +
           ", not '" + text + "'";
  };
}

/// A check for the name of a file.
inline std::string checkFileName(const std::string& name) {
  return name.empty() ? "the name is empty" : "";
}

/// A check that a text is among \p names.
inline TextCheck nameAmong(const std::vector<std::string>& names) {
  return [=](const std::string& name) -> std::string {
    if (std::find(names.begin(), names.end(), name) != names.end()) return "";
    return "must be some of " + joined(names) + ", not '" + name + "'";
  };
}

}  // namespace nbody
