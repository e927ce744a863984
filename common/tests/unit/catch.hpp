/// \file
/// Catch2 2.13 (Debian 12) and 3 (Ubuntu 24.04) under one name.
#pragma once

#ifdef NBODY_CATCH2_3  // by the build: a machine may have headers of both
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <cstdio>
#include <exception>
#include <functional>
#include <string>

namespace nbody {

/// Ends a test case that cannot run here: `if (...) return skipTest("why");`. CTest counts it as
/// skipped.
inline void skipTest(const std::string& why) {
  SUCCEED(why);
  std::printf("SKIPPED: %s\n", why.c_str());
}

/// What the exception says that \p work throws; empty where it throws none.
inline std::string messageOf(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace nbody
