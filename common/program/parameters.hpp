/// \file
/// The whole numbers that a step lets its user choose, such as threads per block.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

namespace nbody {

/// One choice, offered as `--name VALUE`.
struct Parameter {
  std::string name;          ///< as on the command line: "bodies-per-thread"
  std::string help;          ///< one line, with its unit
  int value;                 ///< default, then what was asked for
  std::vector<int> allowed;  ///< every value that the step was built for
  std::string rule;          ///< the same in words, for the message to who asks for another
};

class Parameters {
 public:
  Parameters(std::initializer_list<Parameter> parameters) : parameters_(parameters) {}

  /// The value of the parameter \p name.
  int operator[](const std::string& name) const {
    return std::find_if(begin(), end(), [&](const Parameter& p) { return p.name == name; })->value;
  }

  std::vector<Parameter>::iterator begin() { return parameters_.begin(); }
  std::vector<Parameter>::iterator end() { return parameters_.end(); }
  std::vector<Parameter>::const_iterator begin() const { return parameters_.begin(); }
  std::vector<Parameter>::const_iterator end() const { return parameters_.end(); }

 private:
  std::vector<Parameter> parameters_;
};

/// `--block`: threads per block, any multiple of a warp up to the 1,024 that every device allows.
inline Parameter blockParameter(int value) {
  constexpr int kWarp = 32;
  constexpr int kMost = 1024;
  std::vector<int> allowed;
  for (int block = kWarp; block <= kMost; block += kWarp) allowed.push_back(block);
  return {"block", "threads per block", value, allowed, "a multiple of 32 from 32 to 1024"};
}

}  // namespace nbody
