/// \file
/// What the command lines of all programs share.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include "base/bad_input.hpp"
#include "base/text.hpp"

namespace nbody {

/// Adds an option, of several values with commas between where \p value is a vector.
/// \param name  "--option TYPE"
template <class T>
CLI::Option* addOption(CLI::App& app, const std::string& name, T& value, const std::string& help) {
  const std::size_t space = name.find(' ');
  CLI::Option* added = app.add_option(name.substr(0, space), value, help);
  if constexpr (requires { value.emplace_back(); }) added->delimiter(',');
  return added->type_name(name.substr(space + 1));
}

/// A check that a text is a whole number between \p least and \p most.
inline CLI::Validator wholeNumber(long long least, long long most) {
  return {[=](const std::string& text) -> std::string {
            auto value = parse<long long>(text);
            if (value && *value >= least && *value <= most) return "";
            return "must be a whole number from " + std::to_string(least) + " to " +
                   std::to_string(most) + ", not '" + text + "'";
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
