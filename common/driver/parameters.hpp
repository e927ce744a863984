/// \file
/// What a step lets its user choose: whole numbers, such as threads per block, decimals and words.
#pragma once

#include <algorithm>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "bodies/bodies.hpp"
#include "physics/force_error.hpp"

namespace nbody {

class Parameters;

/// Values of parameters that leave a part of the method out, so that wrong forces tell which part
/// is at fault.
struct Ablation {
  std::string setting;  ///< in words: "with every cell opened"
  std::vector<std::pair<std::string, int>> values;  ///< by the parameters' names
};

/// One choice, offered as `--name VALUE`.
struct Parameter {
  std::string name;  ///< as on the command line: "bodies-per-thread"
  std::string help;  ///< one line, with its unit
  int value;  ///< default, then what was asked for; 0: chosen when N is known
  std::vector<int> allowed;  ///< every value that the step was built for
  std::string rule;  ///< the same in words, for the message to who asks for another
  /// The value for \p count bodies where none was asked for; \p others holds those listed before,
  /// chosen.
  std::function<int(int count, const Parameters& others)> choose = nullptr;
  std::vector<std::string> names = {};  ///< words for the values allowed, where words choose
  /// What becomes of \p value when the bodies are known; may be empty.
  std::function<int(const Bodies& bodies, int value)> settle = nullptr;
  int perUnit = 1;  ///< of a decimal: 1000 where `value` and `allowed` count thousandths
  /// Of a parameter that makes the forces approximate: what \p all allow beyond rounding,
  /// in the unit of forceTolerance(). Its first value allowed then leaves nothing out.
  std::function<ErrorBound(const Parameters& all)> approximation = nullptr;
  std::vector<Ablation> ablations = {};  ///< of such a parameter, the simplest first

  double number() const { return static_cast<double>(value) / perUnit; }

  /// The value as its user would write it.
  std::string text() const {
    if (names.empty()) {
      char decimal[32];
      std::snprintf(decimal, sizeof decimal, "%.10g", number());
      return decimal;
    }
    return names[std::find(allowed.begin(), allowed.end(), value) - allowed.begin()];
  }
};

class Parameters {
 public:
  Parameters(std::initializer_list<Parameter> parameters) : parameters_(parameters) {}

  /// The value of the parameter \p name.
  int operator[](const std::string& name) const { return named(name).value; }

  const Parameter& named(const std::string& name) const {
    return *std::find_if(begin(), end(), [&](const Parameter& p) { return p.name == name; });
  }

  /// The errors that these values allow beyond rounding; 0 where the forces are no approximation.
  ErrorBound approximation() const {
    for (const Parameter& parameter : parameters_)
      if (parameter.approximation) return parameter.approximation(*this);
    return {};
  }

  std::vector<Ablation> ablations() const {
    for (const Parameter& parameter : parameters_)
      if (!parameter.ablations.empty()) return parameter.ablations;
    return {};
  }

  /// These, with other \p values by name.
  Parameters with(const std::vector<std::pair<std::string, int>>& values) const {
    Parameters changed = *this;
    for (const auto& [name, value] : values)
      for (Parameter& parameter : changed.parameters_)
        if (parameter.name == name) parameter.value = value;
    return changed;
  }

  /// These, with every 0 replaced by what its parameter chooses for \p count bodies.
  Parameters chosenFor(int count) const {
    Parameters chosen = *this;
    for (Parameter& parameter : chosen.parameters_)
      if (parameter.value == 0) parameter.value = parameter.choose(count, chosen);
    return chosen;
  }

  /// These, with every parameter settled that depends on the bodies themselves.
  Parameters settledFor(const Bodies& bodies) const {
    Parameters settled = *this;
    for (Parameter& parameter : settled.parameters_)
      if (parameter.settle) parameter.value = parameter.settle(bodies, parameter.value);
    return settled;
  }

  std::vector<Parameter>::iterator begin() { return parameters_.begin(); }
  std::vector<Parameter>::iterator end() { return parameters_.end(); }
  std::vector<Parameter>::const_iterator begin() const { return parameters_.begin(); }
  std::vector<Parameter>::const_iterator end() const { return parameters_.end(); }

 private:
  std::vector<Parameter> parameters_;
};

/// "1, 2, 4 or 8"
inline std::string listed(const std::vector<std::string>& values) {
  std::string text = values.front();
  for (std::size_t k = 1; k < values.size(); ++k)
    text += (k + 1 < values.size() ? ", " : " or ") + values[k];
  return text;
}

inline std::string listed(const std::vector<int>& values) {
  std::vector<std::string> texts;
  for (int value : values) texts.push_back(std::to_string(value));
  return listed(texts);
}

/// The option `--name` with a word for each of 1, 2 ...; the first is the default.
inline Parameter wordParameter(std::string name, std::string help, std::vector<std::string> words) {
  std::vector<int> allowed;
  for (std::size_t k = 1; k <= words.size(); ++k) allowed.push_back(static_cast<int>(k));
  return {std::move(name), std::move(help), 1, allowed, listed(words), nullptr, words};
}

}  // namespace nbody
