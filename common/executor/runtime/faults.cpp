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
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/early_access.hpp"
#include "executor/runtime/host_places.hpp"
#include "executor/runtime/kernel_errors.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/runtime/symbols.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::runtime {

namespace {

struct Fault {
  const char* address;
  bool writes;
  std::vector<const void*> frames;  ///< code: of the access, then of its callers
  std::string where;
  std::string forbids;  ///< what is under way

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

/// Whether the instruction is an atomic one, as host code uses that meets a kernel on purpose.
bool isAtomic(const void* instruction) {
#if defined(__x86_64__)
  const auto* code = static_cast<const unsigned char*>(instruction);
  constexpr unsigned char kLock = 0xf0, kExchangeBytes = 0x86, kExchange = 0x87;
  if (code[0] == kLock) return true;
  if ((code[0] & 0xf0) == 0x40 || code[0] == 0x66) ++code;  // a prefix: of size
  return code[0] == kExchangeBytes || code[0] == kExchange;
#else
  (void)instruction;
  return false;
#endif
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
           "' at " + fault.where + ".\n  Use cudaMemcpyFromSymbol() or cudaMemcpyToSymbol().";
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
         " while work on it may still run: " + fault.forbids +
         ".\n  Wait with cudaDeviceSynchronize() or cudaStreamSynchronize() first.";
}

/// Whether the access is of memory that was only closed to see it; then it is open now.
bool mayGoOn(Fault& fault, const void* instruction) {
  const Allocation* a = currentThread.inKernel ? nullptr : allocationOf(fault.address);
  if (a == nullptr || a->kind == Kind::device) return false;
  const ApiCall call;
  if (a->kind == Kind::managed && isAtomic(instruction)) {
    shareManaged();
    return true;
  }
  fault.forbids =
      whatForbids(*a, fault.address, fault.writes, [&] { return hostPlace(fault.frames, true); });
  return fault.forbids.empty();
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
  Fault fault{static_cast<const char*>(info->si_addr), isWrite(context), addresses, "", ""};
  if (mayGoOn(fault, instructionOf(context))) {
    isAgain = false;
    return;
  }
  fault.where = hostPlace(addresses, true);
  const std::string text = currentThread.inKernel ? textOfKernel(fault) : textOfHost(fault);
  if (!text.empty()) report(text);
  else report("executor: segmentation fault of host code at " + fault.where + ".");
  reportHeld();
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
