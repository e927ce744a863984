#include "executor/runtime/reports.hpp"

#include <unistd.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "executor/checker/checker.hpp"
#include "executor/messages.hpp"
#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/kernels.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/runtime/source_names.hpp"
#include "executor/runtime/symbols.hpp"

namespace nbody::executor::runtime {

namespace {

std::mutex mutex;
std::set<std::string>& printed() {
  static auto& keys = *new std::set<std::string>;  // used at the very end of the program too
  return keys;
}
int mistakes = 0;

void print(const std::string& text) {
  std::fflush(stdout);
  std::fputs((text + "\n").c_str(), stderr);
}

}  // namespace

std::string place(const Caller& caller) {
  if (caller.file != nullptr) return executor::place(caller.file, caller.line);
  return hostPlace({caller.address});
}

std::string atKnown(const char* before, const std::string& place, const char* otherwise) {
  return place == kUnknownLine ? otherwise : before + place;
}

void report(const std::string& text, const std::string& key) {
  const std::lock_guard lock(mutex);
  if (!printed().insert(key.empty() ? text : key).second) return;
  ++mistakes;
  print(text);
}

void note(const std::string& text, const std::string& key) {
  if (!runtimeSettings().notes) return;
  const std::lock_guard lock(mutex);
  if (printed().insert(key.empty() ? text : key).second) print(text);
}

std::string withoutNumbers(const std::string& text) {
  std::string out = text;
  std::erase_if(out, [](char c) { return c >= '0' && c <= '9'; });
  return out;
}

void refuse(const std::string& text) {
  std::fflush(stdout);
  std::fprintf(stderr, "executor: %s\n", text.c_str());
  _exit(2);
}

namespace {

void reportUnfinished() {
  std::string first;
  int count = 0;
  for (const OperationPointer& operation : pendingOperations()) {
    if (operation->caller.line == 0) continue;
    if (operation->what == kMallocAsync || operation->what == kFreeAsync) continue;
    if (count++ == 0) first = operation->what + " of " + place(operation->caller);
  }
  if (count == 0) return;
  report("executor: missing synchronisation: the program ends without waiting for its work: " +
         first + (count > 1 ? " and " + std::to_string(count - 1) + " more" : "") +
         ".\n  Call cudaDeviceSynchronize() before it ends.");
}

void noteLeaks() {
  constexpr std::size_t kMostNames = 3;
  std::size_t bytes = 0;
  int count = 0;
  std::vector<std::pair<std::string, int>> arrays;  // descriptions, and their numbers
  forEachAllocation([&](const Allocation& a) {
    if (a.isFreed || a.isFreedLater || a.kind == Kind::registered) return;
    bytes += a.bytes;
    ++count;
    const std::string name = isDescription(a.name) ? a.name : "'" + a.name + "'";
    const std::string words = name + atKnown(", allocated at ", place(a.caller));
    const auto same = std::find_if(arrays.begin(), arrays.end(),
                                   [&](const auto& other) { return other.first == words; });
    if (same == arrays.end()) arrays.emplace_back(words, 1);
    else ++same->second;
  });
  if (count == 0) return;
  std::string names;
  for (std::size_t k = 0; k < arrays.size() && k < kMostNames; ++k)
    names += (k > 0 ? ", " : "") + arrays[k].first +
             (arrays[k].second > 1 ? " (" + std::to_string(arrays[k].second) + " times)" : "");
  note("executor: note: never freed: " + std::to_string(count) +
       (count == 1 ? " array (" : " arrays (") + std::to_string(bytes) + " bytes): " + names +
       (arrays.size() > kMostNames ? ", ..." : ""));
}

bool isWatching = false;

std::string counted(std::uint64_t count, const std::string& what, const char* ending) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : ending);
}

/// Prints what was checked, because otherwise a program without a report would show nothing of it.
void printSummary() {
  if (!checker::kOn || !runtimeSettings().summary) return;
  std::uint64_t launches = 0;
  for (const auto& [kernel, times] : kernelRuns()) launches += times;
  print(launches == 0 ? "executor: no report, but the program launched no kernel"
                      : "executor: no report in " + counted(launches, "launch", "es") + " of " +
                            counted(kernelRuns().size(), "kernel", "s") +
                            ": no race, no access out of bounds, no use of uninitialised memory, "
                            "no wrong call of CUDA's functions");
}

void atEnd(int status, void*) {
  if (!isWatching) return;
  waitForEnding();
  {
    const ApiCall call;
    if (status == 0) reportUnfinished();  // a program that ends with an error need not wait
    reportHeld();
    reportUnseen(status);
    printNotes();
    noteLeaks();
  }
  if (mistakes > 0)
    std::fprintf(stderr, "executor: %d report%s; the program's own status is %d\n", mistakes,
                 mistakes == 1 ? "" : "s", status);
  else printSummary();
  std::fflush(nullptr);
  if (mistakes > 0 && status == 0) _exit(1);
}

}  // namespace

void watchProgramEnd() { isWatching = isOwnProgram(); }

/// Registered before the program's static objects are constructed, so that it runs after they are
/// destroyed and have freed their memory.
__attribute__((constructor(101))) static void registerEnd() { on_exit(atEnd, nullptr); }

}  // namespace nbody::executor::runtime
