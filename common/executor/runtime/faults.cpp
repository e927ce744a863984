#include "executor/runtime/faults.hpp"

#include <execinfo.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "executor/messages.hpp"
#include "executor/runtime/allocations.hpp"
#include "executor/runtime/host_places.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/runtime/symbols.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::runtime {

namespace {

struct Fault {
  const char* address;
  bool writes;
  std::string where;

  std::string does() const { return writes ? "writes " : "reads "; }
};

const void* instructionOf(const ucontext_t& context) {
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(context.uc_mcontext.pc);
#endif
}

bool isWrite(const ucontext_t& context) {
#if defined(__x86_64__)
  return (context.uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
  (void)context;
  return false;
#endif
}

/// "kernel step of main.cu:12, cudaMemcpyAsync of main.cu:14": what is to touch this memory yet.
std::string pendingOn(const Allocation& a, const char* address) {
  std::string list;
  for (const OperationPointer& operation : pendingOperations()) {
    bool isConcerned = a.kind == Kind::managed;
    for (const auto& pages : operation->closed)
      isConcerned |= address >= pages.begin && address < pages.begin + pages.bytes;
    if (isConcerned && operation->caller.line > 0)
      list += (list.empty() ? "" : ", ") + operation->what + " of " + place(operation->caller);
  }
  return list;
}

std::string textOfKernel(const Fault& fault) {
  std::string text = "executor: out of bounds: a kernel " + fault.does() +
                     "what is no array of the device, by thread " + triple(::threadIdx) +
                     " of block " + triple(::blockIdx) + " at " + fault.where;
  const Allocation* a = allocationOnce(fault.address);
  return text + (a != nullptr && a->isFreed ? ": it was " + describe(*a) + whenFreed(*a) : "");
}

std::string textOfHost(const Fault& fault) {
  const std::string start = "host code " + fault.does();
  if (const std::string name = symbolAt(fault.address); !name.empty())
    return "executor: device memory on the host: " + start + "the device's variable '" + name +
           "' at " + fault.where +
           ".\n  Use cudaMemcpyFromSymbol() or cudaMemcpyToSymbol().";
  const Allocation* a = allocationOnce(fault.address);
  if (a == nullptr)
    return isDeviceAddress(fault.address)
               ? "executor: device memory on the host: " + start +
                     "device memory outside of all arrays at " + fault.where + "."
               : "";
  if (a->isFreed)
    return "executor: use after free: " + start + describe(*a) + whenFreed(*a) + ", at " +
           fault.where + ".";
  if (a->kind == Kind::device)
    return "executor: device memory on the host: " + start + describe(*a) + " at " + fault.where +
           ".\n  Copy it with cudaMemcpy(), or allocate it with cudaMallocManaged().";
  return "executor: missing synchronisation: " + start + describe(*a) + " at " + fault.where +
         " while work on it may still run: " + pendingOn(*a, fault.address) +
         ".\n  Wait with cudaDeviceSynchronize() or cudaStreamSynchronize() first.";
}

void onFault(int signal, siginfo_t* info, void* data) {
  static thread_local bool isAgain = false;
  if (isAgain) _exit(128 + signal);
  isAgain = true;
  const auto& context = *static_cast<const ucontext_t*>(data);
  constexpr int kMostFrames = 64;
  void* frames[kMostFrames];
  const int count = backtrace(frames, kMostFrames);
  std::vector<const void*> addresses{instructionOf(context)};
  addresses.insert(addresses.end(), frames, frames + count);
  const Fault fault{static_cast<const char*>(info->si_addr), isWrite(context),
                    hostPlace(addresses, true)};
  const std::string text = currentThread.inKernel ? textOfKernel(fault) : textOfHost(fault);
  if (!text.empty()) report(text);
  else report("executor: segmentation fault of host code at " + fault.where + ".");
  std::fflush(nullptr);
  _exit(text.empty() ? 128 + signal : 1);
}

}  // namespace

void catchFaults() {
  if (!runtimeSettings().protect) return;
  constexpr std::size_t kBytes = 256 * 1024;  // addr2line's output is read on it
  static char stack[kBytes];
  stack_t alternate = {};
  alternate.ss_sp = stack;
  alternate.ss_size = kBytes;
  sigaltstack(&alternate, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
  void* frame = nullptr;
  backtrace(&frame, 1);  // loads its library now: in the handler it might not
}

}  // namespace nbody::executor::runtime
