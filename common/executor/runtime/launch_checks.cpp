// Launches that a GPU refuses, and errors that a kernel's reports become.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "executor/checker/checker.hpp"
#include "executor/checker/program.hpp"
#include "executor/grid.hpp"
#include "executor/messages.hpp"
#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/device_models.hpp"
#include "executor/runtime/graphs.hpp"
#include "executor/runtime/kernels.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/runtime/symbols.hpp"

namespace nbody::executor::runtime {

namespace {

struct Refusal {
  cudaError_t error = cudaSuccess;
  std::string why;
};

Refusal kernelRefusal(const Launch& launch, const Kernel& kernel) {
  if (kernel.mostThreads > 0 && product(launch.block) > kernel.mostThreads)
    return {cudaErrorInvalidValue, "the kernel's __launch_bounds__ allow " +
                                       std::to_string(kernel.mostThreads) +
                                       " threads in a block, not " + triple(launch.block)};
  const std::size_t staticBytes = staticSharedBytes(kernel);
  if (staticBytes > kSharedPerBlock)  // the compiler reports a single variable
    return {cudaErrorInvalidValue, "the kernel's __shared__ variables may have at most " +
                                       std::to_string(kSharedPerBlock) +
                                       " bytes together, but these have " +
                                       std::to_string(staticBytes)};
  const std::size_t limit = dynamicLimitOf(kernel);
  if (launch.sharedBytes > limit)
    return {cudaErrorInvalidValue,
            "a block may have at most " + std::to_string(limit) +
                " bytes of dynamic shared memory, but this launch asks for " +
                std::to_string(launch.sharedBytes) +
                (limit < model().sharedPerBlockOptIn
                     ? ". To allow more, call cudaFuncSetAttribute() with "
                       "cudaFuncAttributeMaxDynamicSharedMemorySize"
                     : "")};
  if (!launch.cooperative) return {};
  const int blocks =
      activeBlocksOf(kernel, static_cast<int>(product(launch.block)), launch.sharedBytes);
  const std::uint64_t most = std::uint64_t(blocks) * runtimeSettings().multiprocessors;
  if (product(launch.grid) > most)
    return {cudaErrorCooperativeLaunchTooLarge,
            "a cooperative launch may have at most " + std::to_string(most) +
                " blocks of this size, but this launch asks for " + triple(launch.grid)};
  return {};
}

}  // namespace

bool isLaunchable(const Launch& launch, const Kernel& kernel) {
  Refusal refusal = {cudaSuccess, wrongShape(launch.grid, launch.block)};
  if (!refusal.why.empty()) refusal.error = cudaErrorInvalidConfiguration;
  if (refusal.error == cudaSuccess && !isStream(launch.stream))
    refusal = {cudaErrorInvalidResourceHandle, "its stream does not exist"};
  if (refusal.error == cudaSuccess) refusal = kernelRefusal(launch, kernel);
  if (refusal.error == cudaSuccess)
    refusal = {refuseImplicit(launch.stream), "another stream is being captured"};
  const bool isAskedFor = refusal.error == cudaSuccess;
  if (isAskedFor)
    refusal = {failureAskedFor("the launch of " + std::string(kernel.name), launch.caller),
               "the setting NBODY_EXECUTOR_FAIL made it fail"};
  if (refusal.error == cudaSuccess) return true;
  result(refusal.error);
  const std::string text =
      "executor: invalid launch at " + place(launch.caller) + ": " + refusal.why + ".";
  setReason(std::make_exception_ptr(KernelError(text)));
  setUnseen(refusal.error, "the launch of " + std::string(kernel.name), launch.caller, refusal.why,
            isAskedFor ? "" : text);
  return false;
}

static std::string launchOf(const Launch& launch, const Kernel& kernel) {
  return "the launch of " + std::string(kernel.name) + " at " + place(launch.caller);
}

void checkArguments(const Launch& launch, const Kernel& kernel, const Body& body) {
  forEachWord(body.closure.get(), body.bytes, [&](const void* word) {
    if (const std::string name = symbolNotAsked(word); !name.empty())
      report("executor: wrong pointer: " + launchOf(launch, kernel) +
             " passes the host's address of the device variable '" + name +
             "'.\n  Let the kernel use the variable by its name, or pass the address that "
             "cudaGetSymbolAddress() gives.");
    if (const std::string name = hostCodeOf(word); !name.empty())
      report(
          "executor: host code: " + launchOf(launch, kernel) + " passes the host's address of " +
          name +
          ".\n  On a GPU the device's functions have other addresses. Get them from a __device__ "
          "variable with cudaMemcpyFromSymbol(), or make the function a template argument. "
          "Kernels take no objects with virtual functions.");
  });
}

bool passesPrivate(const Launch& launch, const Kernel& kernel, const Body& body) {
  std::string name;
  forEachWord(body.closure.get(), body.bytes, [&](const void* word) {
    if (name.empty()) name = checker::privateName(word);
  });
  if (name.empty()) return false;
  report(
      "executor: wrong pointer: " + launchOf(launch, kernel) + " passes a pointer to " + name +
      " of the kernel that launches.\n  The new kernel has its own local and shared memory. Pass "
      "a pointer to global memory.");
  return true;
}

std::size_t dynamicLimitOf(const Kernel& kernel) {
  if (kernel.dynamicLimit >= 0) return static_cast<std::size_t>(kernel.dynamicLimit);
  return kSharedPerBlock - std::min(staticSharedBytes(kernel), kSharedPerBlock);
}

std::size_t staticSharedBytes(const Kernel& kernel) {
  // The body is a closure, "Z<kernel>EUlvE_", with clang "Z<kernel>E3$_0". Its declarations have
  // names with _ZZ, the kernel, and so on.
  const std::string body = kernel.body;
  std::size_t end = body.rfind("UlvE");
  if (end == std::string::npos) end = body.find_last_not_of("0123456789", body.rfind("$_") - 1) + 1;
  if (end == 0 || end > body.size() || body[end - 1] != 'E') return 0;
  const std::string begin = "_ZZ" + body.substr(0, end);
  std::size_t bytes = 0;
  for (const auto& symbol : checker::program().staticShared)
    if (std::string_view(symbol.mangled).starts_with(begin)) bytes += symbol.bytes;
  return bytes;
}

namespace {

/// Returns the key of a report: equal for equal mistakes at the same lines in any thread or launch.
std::string keyOf(const std::string& report) {
  std::set<std::string> places;  // in any order, because that of a race's two sides is chance
  for (std::size_t at = report.find(" at "); at != std::string::npos;
       at = report.find(" at ", at + 4))
    places.insert(report.substr(at, report.find('\n', at) - at));
  return std::accumulate(places.begin(), places.end(),
                         withoutNumbers(report.substr(0, report.find('\n'))));
}

/// Returns whether the kernel has continued after the mistake.
bool isHarmless(const std::string& report) {
  return (report.starts_with("executor: out of bounds") &&
          report.find("stopped there") == std::string::npos) ||
         report.starts_with("executor: race") || report.starts_with("executor: uninit") ||
         report.starts_with("executor: wrong lane") ||
         report.starts_with("executor: copy not awaited") ||
         report.find(" more reports are not shown") != std::string::npos;
}

cudaError_t codeOf(const std::string& report) {
  if (report.starts_with("executor: assertion")) return cudaErrorAssert;
  if (report.starts_with("executor: out of bounds")) return cudaErrorIllegalAddress;
  if (report.starts_with("executor: misaligned")) return cudaErrorMisalignedAddress;
  if (report.starts_with("executor: write to constant")) return cudaErrorIllegalAddress;
  if (report.starts_with("executor: index")) return cudaErrorIllegalAddress;
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

static std::vector<std::string>& collected() {
  static auto& reports = *new std::vector<std::string>;
  return reports;
}

static bool isCollected(const std::string& text) {
  return std::any_of(collected().begin(), collected().end(),
                     [&](const std::string& other) { return keyOf(other) == keyOf(text); });
}

void reportFinding(const std::string& text) {
  if (runtimeSettings().collectReports) {
    constexpr std::size_t kMost = 64;
    if (collected().size() < kMost && !isCollected(text)) collected().push_back(text);
    return;
  }
  // Not unwritten memory, because a program may look at memory that it has poisoned.
  if (runtimeSettings().reportsFail && text.starts_with("executor: race")) {
    if (stickyError() == cudaSuccess)
      setSticky(cudaErrorLaunchFailure, std::make_exception_ptr(KernelError(text)));
    return;
  }
  // A failed launch is the reason that nothing was written.
  if (text.starts_with("executor: uninit")) reportOverlooked();
  report(text, keyOf(text));
}

void reportHeld() {
  for (const std::string& text : reportsIn(checker::heldReports())) reportFinding(text);
}

void printNotes() {
  for (const std::string& text : checker::takeNotes()) note(text, keyOf(text));
}

void kernelFailed(const KernelError& error) {
  if (runtimeSettings().collectReports) {
    const std::vector<std::string> reports = reportsIn(error.reports);
    if (!reports.empty() && std::all_of(reports.begin(), reports.end(), isHarmless)) {
      for (const std::string& text : reports) reportFinding(text);
      return;
    }
    std::fputs(error.reports.c_str(), stderr);
  }
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

namespace nbody::executor {

std::vector<std::string> takeReports() {
  runtime::reportHeld();
  return std::exchange(runtime::collected(), {});
}

}  // namespace nbody::executor
