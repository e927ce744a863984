/// \file
/// Parts that the command lines of all programs share.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <numeric>
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

/// Returns how many letters must be changed, added or left out to make \p b of \p a.
inline std::size_t editDistance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (const char letter : a) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (letter != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// Says which option is unknown, and which known one is nearest, if one is near.
inline std::string unknownOption(const CLI::App& app, const std::vector<std::string>& words) {
  const auto option = std::find_if(words.begin(), words.end(),
                                   [](const std::string& word) { return word[0] == '-'; });
  if (option == words.end()) return "unknown argument '" + words.front() + "'";
  const std::string name = option->substr(0, option->find('='));
  std::string nearest;
  std::size_t least = std::min<std::size_t>(4, name.size() / 2);
  for (const CLI::Option* known : app.get_options())
    if (const std::size_t distance = editDistance(name, known->get_name());
        !known->get_group().empty() && distance < least) {
      least = distance;
      nearest = known->get_name();
    }
  return "unknown option '" + name + "'" +
         (nearest.empty() ? "; --help lists the options" : "; did you mean '" + nearest + "'?");
}

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
  } catch (const CLI::ExtrasError&) {
    throw BadInput(unknownOption(app, app.remaining()));
  } catch (const CLI::ParseError& error) {
    throw BadInput(oneLine(error.what()));
  }
  return true;
}

}  // namespace nbody
