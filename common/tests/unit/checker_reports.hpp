/// \file
/// Reads what the executor's checker says of a launch, and compares it with what it must say.
#pragma once

#include "launch.hpp"
#include "orders.hpp"

namespace nbody {

inline constexpr int kBlock = 64;
inline const LaunchShape kOneBlock(1, kBlock);

/// The place of \p line of the test that calls this, as reports name it.
inline std::string at(int line, const std::string& after = "\n",
                      const std::string& file = __builtin_FILE()) {
  return " at unit" + file.substr(file.rfind('/')) + ":" + std::to_string(line) + after;
}

/// All reports of \p work, as they would be printed; empty where there is none.
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

/// In every order \p work has one report, whose first line begins with \p headline, and which holds \p
/// parts.
inline void requireReport(const std::function<void()>& work, const std::string& headline,
                          const std::vector<std::string>& parts) {
  inEveryOrder([&] {
    const std::string reports = reportsOf(work);
    INFO(reports);
    REQUIRE(reports.starts_with("executor: " + headline));
    REQUIRE(countOf(reports, "executor: ") == 1);
    checkParts(reports, {"by thread (", " of block ("});
    checkParts(reports, parts);
  });
}

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
