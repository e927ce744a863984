#include "executor/runtime/kernel_errors.hpp"

#include "executor/checker/checker.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/settings.hpp"

namespace nbody::executor::runtime {

namespace {

bool startsWith(const std::string& text, const char* begin) { return text.rfind(begin, 0) == 0; }

/// Key of a report, equal for equal mistakes at the same lines, whatever their threads and launch.
std::string keyOf(const std::string& report) {
  std::string key = withoutNumbers(report.substr(0, report.find('\n')));
  for (std::size_t at = report.find(" at "); at != std::string::npos;
       at = report.find(" at ", at + 4))
    key += report.substr(at, report.find('\n', at) - at);
  return key;
}

/// Whether the kernel has gone on behind the mistake.
bool isHarmless(const std::string& report) {
  return startsWith(report, "executor: race") || startsWith(report, "executor: uninit") ||
         startsWith(report, "executor: wrong lane") ||
         startsWith(report, "executor: copy not awaited") ||
         report.find(" more reports are not shown") != std::string::npos;
}

cudaError_t codeOf(const std::string& report) {
  if (startsWith(report, "executor: assertion")) return cudaErrorAssert;
  if (startsWith(report, "executor: out of bounds")) return cudaErrorIllegalAddress;
  if (startsWith(report, "executor: misaligned")) return cudaErrorMisalignedAddress;
  if (startsWith(report, "executor: write to constant")) return cudaErrorIllegalAddress;
  if (startsWith(report, "executor: index")) return cudaErrorIllegalAddress;
  return cudaErrorLaunchFailure;
}

}  // namespace

std::vector<std::string> reportsIn(const std::string& text) {
  std::vector<std::string> reports;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find("\nexecutor: ", begin);
    std::string one = text.substr(begin, end == std::string::npos ? end : end - begin);
    while (!one.empty() && one.back() == '\n') one.pop_back();
    if (!one.empty()) reports.push_back(one);
    if (end == std::string::npos) break;
    begin = end + 1;
  }
  return reports;
}

void reportFinding(const std::string& text) {
  // Not what is unwritten: a program may well look at what it has poisoned.
  if (runtimeSettings().reportsFail && startsWith(text, "executor: race")) {
    if (stickyError() == cudaSuccess)
      setSticky(cudaErrorLaunchFailure, std::make_exception_ptr(KernelError(text)));
    return;
  }
  // A launch that failed is why nothing has been written.
  if (startsWith(text, "executor: uninit")) reportOverlooked();
  report(text, keyOf(text));
}

void reportHeld() {
  for (const std::string& text : reportsIn(checker::heldReports())) reportFinding(text);
}

void printNotes() {
  for (const std::string& text : checker::takeNotes()) note(text, keyOf(text));
}

void kernelFailed(const KernelError& error) {
  if (runtimeSettings().reportsFail) {
    setSticky(cudaErrorLaunchFailure, std::make_exception_ptr(error));
    return;
  }
  for (const std::string& text : reportsIn(error.reports.empty() ? error.what() : error.reports)) {
    reportFinding(text);
    if (!isHarmless(text) && stickyError() == cudaSuccess)
      setSticky(codeOf(text), std::make_exception_ptr(error));
  }
}

void calledWithoutLaunch(const Kernel& kernel) {
  report(std::string("executor: no launch: the kernel ") + kernel.name +
         " is called as a function.\n  Write " + kernel.name + "<<<blocks, threads>>>(...).");
}

}  // namespace nbody::executor::runtime
