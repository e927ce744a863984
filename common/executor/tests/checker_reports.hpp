/// \file
/// Reads the checker's reports on a launch, and compares them with the expected ones.
#pragma once

#include "launch.hpp"
#include "orders.hpp"

namespace nbody {

inline constexpr int kBlock = 64;
inline const LaunchShape kOneBlock(1, kBlock);

/// Returns all reports of \p work as text; "" if there is none.
inline std::string reportsOf(const std::function<void()>& work) {
  const OwnOptions restored;
  executor::options().printReports = false;
  try {
    work();
  } catch (const executor::KernelError& error) {
    return error.reports;
  }
  return "";
}

/// Until its destructor reports have no lines, which takes a tenth of the time: there is no addr2line.
struct WithoutLines {
  const std::string path = std::getenv("PATH");
  WithoutLines() { setenv("PATH", "/nonexistent", 1); }
  ~WithoutLines() { setenv("PATH", path.c_str(), 1); }
};

template <class T>
DeviceArray<T> zeros(int count, const char* name) {
  DeviceArray<T> array(count, name);
  array.clear();
  return array;
}

inline void requireQuiet(const std::function<void()>& work) {
  inEveryOrder([&] { REQUIRE(reportsOf(work) == ""); });
}

}  // namespace nbody
