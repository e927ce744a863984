/// \file
/// Chooses, when the program runs, a template that is compiled for a number.
#pragma once

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
    return selectAmong<kNumbers...>(number, use);
  }

 private:
  template <int kFirst, int... kOthers, class Use>
  static auto selectAmong(int number, Use& use) {
    if (number == kFirst) return use(std::integral_constant<int, kFirst>());
    if constexpr (sizeof...(kOthers) > 0) return selectAmong<kOthers...>(number, use);
    else throw std::logic_error("no kernel is compiled for " + std::to_string(number));
  }
};

/// Calls \p use with the std::integral_constants of \p first and \p second, and returns its result.
template <class First, class Second, class Use>
auto select(int first, int second, Use use) {
  return First::select(first, [&](auto one) {
    return Second::select(second, [&](auto other) { return use(one, other); });
  });
}

}  // namespace nbody
