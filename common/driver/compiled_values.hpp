/// \file
/// Chooses, when the program runs, a template that is compiled for a number.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace nbody {

/// The numbers that a kernel template is compiled for.
template <int... kNumbers>
struct CompiledValues {
  static std::vector<int> list() { return {kNumbers...}; }

  /// Calls \p use with the std::integral_constant of \p number, and returns its result. Throws
  /// std::logic_error if the number is not in the list.
  template <class Use>
  static auto select(int number, Use use) {
    std::optional<decltype(use(std::integral_constant<int, 1>()))> result;
    ((number == kNumbers ? void(result = use(std::integral_constant<int, kNumbers>())) : void()),
     ...);
    if (!result) throw std::logic_error("no kernel is compiled for " + std::to_string(number));
    return *result;
  }
};

}  // namespace nbody
