/// \file
/// Headers that every test needs: Catch2 2.13 (Debian 12) or 3 (Ubuntu 24.04) under one name, and
/// what most tests use of the standard library.
#pragma once

#ifdef NBODY_CATCH2_3  // by the build: a machine may have headers of both
#include <catch2/catch_all.hpp>
using Catch::Approx;  // which version 2 has outside
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

/// Ends a test case that cannot run here: `if (...) return skipTest("why");`. CTest counts it as
/// skipped.
void skipTest(const std::string& why);

/// The message of the exception that \p work throws; empty if it throws none.
std::string messageOf(const std::function<void()>& work);

bool contains(const std::string& text, const std::string& part);

/// Each of \p parts is in \p text.
void checkParts(const std::string& text, const std::vector<std::string>& parts);

/// How often \p text has \p part.
int countOf(const std::string& text, const std::string& part);

}  // namespace nbody
