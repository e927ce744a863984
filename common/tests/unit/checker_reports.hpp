/// \file
/// What the executor's checker says of a launch, and what it must say.
#pragma once

#include <string>
#include <vector>

#include "catch.hpp"
#include "cuda/cuda.hpp"
#include "orders.hpp"

namespace nbody {

/// All reports of \p work, as they would be printed; empty where there is none.
inline std::string reportsOf(const std::function<void()>& work) {
  executor::options().printReports = false;
  std::string reports;
  try {
    work();
  } catch (const executor::KernelError& error) {
    reports = error.reports;
  }
  executor::options().printReports = true;
  return reports;
}

/// In every order \p work has one report, whose first line is \p headline, and which holds \p
/// parts.
inline void requireReport(const std::function<void()>& work,
                          const std::string& headline,
                          const std::vector<std::string>& parts) {
  inEveryOrder([&] {
    const std::string reports = reportsOf(work);
    INFO(reports);
    REQUIRE(reports.substr(0, reports.find('\n')) == "executor: " + headline);
    REQUIRE(countOf(reports, "executor: ") == 1);
    REQUIRE(contains(reports, "by thread ("));
    REQUIRE(contains(reports, " of block ("));
    for (const std::string& part : parts) {
      INFO(part);
      REQUIRE(contains(reports, part));
    }
  });
}

inline DeviceArray<float> floats(int count, const char* name) {
  DeviceArray<float> array(count, name);
  array.clear();
  return array;
}

inline void requireQuiet(const std::function<void()>& work) {
  inEveryOrder([&] { REQUIRE(reportsOf(work) == ""); });
}

}  // namespace nbody
