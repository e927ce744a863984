#include "executor/runtime/program_end.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/kernel_errors.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/symbols.hpp"

namespace nbody::executor::runtime {

namespace {

void reportUnfinished() {
  std::string first;
  int count = 0;
  for (const OperationPointer& operation : pendingOperations()) {
    if (operation->caller.line == 0 || operation->what == kFreeAsync) continue;
    if (count++ == 0) first = operation->what + " of " + place(operation->caller);
  }
  if (count == 0) return;
  report("executor: missing synchronisation: the program ends without waiting for its work: " +
         first + (count > 1 ? " and " + std::to_string(count - 1) + " more" : "") +
         ".\n  Call cudaDeviceSynchronize() before it ends.");
}

void noteLeaks() {
  constexpr int kMostNames = 3;
  std::size_t bytes = 0;
  int count = 0;
  std::string names;
  forEachAllocation([&](const Allocation& a) {
    if (a.isFreed || a.isFreedLater || a.kind == Kind::registered) return;
    bytes += a.bytes;
    if (++count <= kMostNames)
      names += (count > 1 ? ", " : "") + ("'" + a.name + "', allocated at " + place(a.caller));
  });
  if (count > 0)
    note("executor: note: never freed: " + std::to_string(count) +
         (count == 1 ? " array (" : " arrays (") + std::to_string(bytes) + " bytes): " + names +
         (count > kMostNames ? ", ..." : ""));
}

bool isWatching = false;

void atEnd(int status, void*) {
  if (!isWatching) return;
  {
    const ApiCall call;
    if (status == 0) reportUnfinished();  // who ends by an error need not wait
    reportHeld();
    reportUnseen();
    printNotes();
    noteLeaks();
  }
  if (reportCount() > 0)
    std::fprintf(stderr,
                 "executor: %d report%s; the program's own status is %d\n",
                 reportCount(),
                 reportCount() == 1 ? "" : "s",
                 status);
  std::fflush(nullptr);
  if (reportCount() > 0 && status == 0) _exit(1);
}

}  // namespace

void watchProgramEnd() { isWatching = isOwnProgram(); }

/// Before the program's own static objects are made: so it runs when they are gone, and have freed
/// what they held.
__attribute__((constructor(101))) static void registerEnd() { on_exit(atEnd, nullptr); }

}  // namespace nbody::executor::runtime
