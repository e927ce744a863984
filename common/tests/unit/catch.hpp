/// \file
/// Headers for every test: Catch2 2.13 (Debian 12) or 3 (Ubuntu 24.04) with the same names, and
/// those that most tests need.
#pragma once

#ifdef NBODY_CATCH2_3  // set by the build, because a machine may have both
#include <catch2/catch_all.hpp>
using Catch::Approx;  // version 2 has it outside of Catch
#else
#include <catch2/catch.hpp>
#endif

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace nbody {

/// Skips a test case that cannot run here: `if (...) return skipTest("why");`. CTest shows it.
void skipTest(const std::string& why);

/// Returns the message of the exception that \p work throws, or "" if it throws none.
std::string messageOf(const std::function<void()>& work);

bool contains(const std::string& text, const std::string& part);

/// Checks that \p text contains each of \p parts.
void checkParts(const std::string& text, const std::vector<std::string>& parts);

/// Returns how often \p text contains \p part.
int countOf(const std::string& text, const std::string& part);

}  // namespace nbody
