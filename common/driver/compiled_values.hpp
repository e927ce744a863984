/// \file
/// From a number known when the program runs to a template built for it.
#pragma once

#include <type_traits>
#include <vector>

#include "driver/parameters.hpp"

namespace nbody {

/// The numbers that a kernel template is built for.
template <int... kNumbers>
struct CompiledValues {
  /// Calls \p use with the std::integral_constant of \p number, which is one of kNumbers.
  template <class Use>
  static auto select(int number, Use use) {
    decltype(use(std::integral_constant<int, 1>())) result{};
    ((number == kNumbers ? void(result = use(std::integral_constant<int, kNumbers>())) : void()),
     ...);
    return result;
  }

  /// The option `--name` with these numbers; where \p value is 0, \p choose chooses.
  static Parameter parameter(const char* name,
                             const char* help,
                             int value,
                             int (*choose)(int count, const Parameters&) = nullptr) {
    const std::vector<int> numbers = {kNumbers...};
    return {name, help, value, numbers, listed(numbers), choose};
  }
};

/// Calls \p use with the constants of two numbers, of which First and Second say what is built.
template <class First, class Second, class Use>
auto select(int first, int second, Use use) {
  return First::select(first, [&](auto one) {
    return Second::select(second, [&](auto other) { return use(one, other); });
  });
}

}  // namespace nbody
