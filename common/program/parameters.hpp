/// \file
/// The whole numbers that a step lets its user choose, such as threads per block.
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace nbody {

class Parameters;

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
};

class Parameters {
 public:
  Parameters(std::initializer_list<Parameter> parameters) : parameters_(parameters) {}

  /// The value of the parameter \p name.
  int operator[](const std::string& name) const {
    return std::find_if(begin(), end(), [&](const Parameter& p) { return p.name == name; })->value;
  }

  /// These, with every 0 replaced by what its parameter chooses for \p count bodies.
  Parameters chosenFor(int count) const {
    Parameters chosen = *this;
    for (Parameter& parameter : chosen.parameters_)
      if (parameter.value == 0) parameter.value = parameter.choose(count, chosen);
    return chosen;
  }

  std::vector<Parameter>::iterator begin() { return parameters_.begin(); }
  std::vector<Parameter>::iterator end() { return parameters_.end(); }
  std::vector<Parameter>::const_iterator begin() const { return parameters_.begin(); }
  std::vector<Parameter>::const_iterator end() const { return parameters_.end(); }

 private:
  std::vector<Parameter> parameters_;
};

/// "1, 2, 4 or 8"
inline std::string listed(const std::vector<int>& values) {
  std::string text = std::to_string(values.front());
  for (std::size_t k = 1; k < values.size(); ++k)
    text += (k + 1 < values.size() ? ", " : " or ") + std::to_string(values[k]);
  return text;
}

}  // namespace nbody
