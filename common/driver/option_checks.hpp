/// \file
/// What the command lines of all programs share.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/bad_input.hpp"
#include "base/text.hpp"

namespace nbody {

/// \p text as a number of type T, all of it; nothing where it is not one or does not fit.
template <class T>
std::optional<T> parse(const std::string& text) {
  T value;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// A check that \p text is a whole number between \p least and \p most, with the reason for the
/// bounds.
inline CLI::Validator wholeNumber(long long least, long long most, const std::string& why = "") {
  return {[=](const std::string& text) -> std::string {
            auto value = parse<long long>(text);
            if (value && *value >= least && *value <= most) return "";
            return "must be a whole number from " + std::to_string(least) + " to " +
                   std::to_string(most) + ", not '" + text + "'" + why;
          },
          ""};
}

/// A check for the name of a file.
inline std::string checkFileName(const std::string& name) {
  return name.empty() ? "the name is empty" : "";
}

/// A check that a text is among \p names.
inline CLI::Validator nameAmong(const std::vector<std::string>& names) {
  return {[=](const std::string& name) -> std::string {
            if (std::find(names.begin(), names.end(), name) != names.end()) return "";
            return "must be some of " + joined(names) + ", not '" + name + "'";
          },
          ""};
}

/// Parses; false where help was asked for and shown. Throws BadInput, in one line.
inline bool parsed(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return false;
  } catch (const CLI::ParseError& error) {
    throw BadInput(oneLine(error.what()));
  }
  return true;
}

}  // namespace nbody
