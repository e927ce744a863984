// Which launches are checked, and what is said at the end of each.
#include <cstdio>
#include <utility>

#include "executor/checker/checker.hpp"
#include "executor/checker/findings.hpp"
#include "executor/messages.hpp"

namespace nbody::executor::checker {

static bool enabled = true;

bool isEnabled() { return enabled; }

void setEnabled(bool checks) {
  enabled = checks;
  if (enabled) return;
  for (Array* array : arrays())
    if (array->space == Space::global && !std::exchange(array->allWritten, true))
      array->setWritten(0, array->bytes, true);
}

/// Adds the error that stopped the grid to \p texts, unless the checker stopped it itself.
static void addError(std::vector<std::string>& texts, std::exception_ptr error) {
  if (!error) return;
  try {
    std::rethrow_exception(error);
  } catch (const KernelError& stop) {
    if (*stop.what() != '\0') texts.push_back(stop.what());
  }  // anything else is no report: it goes on to the launch's caller
}

void endGrid(const Grid& grid, std::exception_ptr error) {
  constexpr int kMaxReports = 8;  // the others are only counted
  std::vector<std::string> texts;
  addError(texts, error);
  for (std::string& text : describe(takeFindings(), grid)) texts.push_back(std::move(text));
  if (texts.empty()) return;
  std::string all;
  for (std::size_t i = 0; i < texts.size() && i < kMaxReports; ++i) all += texts[i] + "\n";
  if (texts.size() > kMaxReports)
    all += "executor: " + std::to_string(texts.size() - kMaxReports) + " more reports left out\n";
  if (options().printReports) std::fputs(all.c_str(), stderr);
  throw KernelError("the executor reports " + std::to_string(texts.size()) +
                        (texts.size() == 1 ? " bug" : " bugs") + " in the kernel launched at " +
                        place(grid.file, grid.line),
                    std::move(all));
}

}  // namespace nbody::executor::checker
