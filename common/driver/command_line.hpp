/// \file
/// Parts that the command lines of all programs share.
#pragma once

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "base/bad_input.hpp"
#include "base/text.hpp"
#include "driver/option_checks.hpp"

namespace nbody {

/// Adds an option. If \p value is a vector, the option takes several values, separated by commas.
/// \param name  "--option TYPE"
template <class T>
CLI::Option* addOption(CLI::App& app, const std::string& name, T& value, const std::string& help) {
  const std::size_t space = name.find(' ');
  CLI::Option* added = app.add_option(name.substr(0, space), value, help);
  if constexpr (requires { value.emplace_back(); }) added->delimiter(',');
  return added->option_text(name.substr(space + 1));
}

/// Shows the names of options in the help. CLI11 would add "{false}" to flags such as `--no-graph`.
struct HelpFormat : CLI::Formatter {
  std::string make_option_name(const CLI::Option* option, bool isPositional) const override {
    const std::string name = CLI::Formatter::make_option_name(option, isPositional);
    return name.substr(0, name.find('{'));
  }
};

/// Parses the command line. Returns false if it has printed the help. Throws BadInput with a message of one line.
inline bool parsed(CLI::App& app, int argc, char** argv) {
  app.formatter(std::make_shared<HelpFormat>());
  // Without this check, CLI11 would use the next word as the value of "--option=".
  for (const std::string& word : std::vector<std::string>(argv, argv + argc))
    if (word.rfind("--", 0) == 0 && word.find('=') == word.size() - 1)
      throw BadInput(word + " has no value after the =");
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
