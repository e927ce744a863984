/// \file
/// What the command lines of all programs share.
#pragma once

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "base/bad_input.hpp"
#include "base/text.hpp"
#include "driver/option_checks.hpp"

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
