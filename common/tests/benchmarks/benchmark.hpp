/// \file
/// Prints a benchmark's figure, and compares it with what is wanted.
#pragma once

#include <cstdio>

#include "catch.hpp"

namespace nbody {

/// Prints one line of `./run test --benchmark`.
inline void printFigure(const std::string& name, double found, const char* limit, double wanted,
                        const char* unit, bool reached) {
  std::printf("figure: %s: %.*f %s, %s %g wanted%s\n", name.c_str(), found < 100 ? 2 : 0, found,
              unit, limit, wanted, reached ? "" : ": FALLS SHORT");
}

/// Prints the figure and fails the test case if \p found is below \p wanted.
/// \param name  what was measured
/// \param unit  of both numbers
inline void atLeast(const std::string& name, double found, double wanted, const char* unit) {
  printFigure(name, found, "at least", wanted, unit, found >= wanted);
  CHECK(found >= wanted);
}

/// Prints the figure and fails the test case if \p found is above \p wanted.
inline void atMost(const std::string& name, double found, double wanted, const char* unit) {
  printFigure(name, found, "at most", wanted, unit, found <= wanted);
  CHECK(found <= wanted);
}

}  // namespace nbody
