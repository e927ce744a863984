// Wrong accesses: host code touches memory while work that may use it is running, or host code or a
// kernel touches memory that it must not use.
#include <execinfo.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "executor/checker/checker.hpp"
#include "executor/messages.hpp"
#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/kernels.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/runtime/source_names.hpp"
#include "executor/runtime/symbols.hpp"
#include "executor/signal_stack.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::runtime {

namespace {

struct EarlyRead {
  const Operation* before;
  const char* address;
  std::vector<char> bytes;  ///< values that the host has seen there
  std::string text;
};
std::vector<EarlyRead>& earlyReads() {
  static auto& theReads = *new std::vector<EarlyRead>;
  return theReads;
}

/// Calls \p visit for the allocations that words among these bytes point to.
template <class Visit>
void forEachPointer(const void* begin, std::size_t bytes, const Visit& visit) {
  const char* at = static_cast<const char*>(begin);
  for (std::size_t i = 0; i + sizeof(void*) <= bytes; i += sizeof(void*)) {
    void* word = nullptr;
    std::memcpy(&word, at + i, sizeof word);
    if (Allocation* a = allocationOf(word)) visit(*a);
  }
}

/// Returns whether an operation may reach an allocation, through its arguments and through pointers
/// in the memory that they lead to, judged by the first bytes of each array.
bool mayReach(const Operation& operation, const Allocation& goal) {
  constexpr std::size_t kMostBytes = 65536;
  std::set<const Allocation*> seen;
  std::vector<const Allocation*> left;
  const auto add = [&](const Allocation& a) {
    if (seen.insert(&a).second) left.push_back(&a);
  };
  forEachPointer(operation.arguments.get(), operation.argumentBytes, add);
  forEachPointer(operation.touched.data(), operation.touched.size() * sizeof(void*), add);
  if (operation.arguments) forEachSymbolWord(add);
  while (!left.empty() && seen.count(&goal) == 0) {
    const Allocation& a = *left.back();
    left.pop_back();
    forEachPointer(aliasOf(a.begin), std::min(a.bytes, kMostBytes), add);
  }
  return seen.count(&goal) != 0;
}

bool closes(const Operation& operation, const char* address) {
  return std::any_of(operation.closed.begin(), operation.closed.end(), [&](const auto& pages) {
    return address >= pages.begin && address < pages.begin + pages.bytes;
  });
}

void open(const Allocation& a) {
  mprotect(a.begin, roundedUp(a.bytes, kPage), PROT_READ | PROT_WRITE);
}

void rememberRead(const Operation& operation, const Allocation& a, const char* address,
                  const std::string& where) {
  constexpr std::ptrdiff_t kBytes = 16;
  const char* end = std::min(address + kBytes, static_cast<const char*>(a.begin + a.bytes));
  earlyReads().push_back({&operation,
                          address,
                          {address, end},
                          "executor: missing synchronisation: host code reads " + describe(a) +
                              " at " + where + ", but the " + operation.what + " of " +
                              place(operation.caller) +
                              ", which writes this memory, has not run yet.\n  Wait with "
                              "cudaDeviceSynchronize() or cudaStreamSynchronize() first."});
}

}  // namespace

void closeMapped(Operation& kernel) {
  if (!runtimeSettings().protect) return;
  forEachPointer(kernel.arguments.get(), kernel.argumentBytes, [&](const Allocation& a) {
    if (a.kind != Kind::pinned) return;
    const std::size_t bytes = roundedUp(a.bytes, kPage);
    mprotect(a.begin, bytes, PROT_NONE);
    kernel.closed.push_back({a.begin, bytes});
  });
}

void closePinned(Operation& operation, const void* pointer, std::size_t bytes, bool isWritten) {
  const Allocation* a = allocationOf(pointer);
  if (!runtimeSettings().protect || a == nullptr || a->kind != Kind::pinned) return;
  const auto begin = roundedUp(reinterpret_cast<std::uintptr_t>(pointer), kPage);
  auto end = reinterpret_cast<std::uintptr_t>(pointer) + bytes;
  const bool isToTheEnd = end == reinterpret_cast<std::uintptr_t>(a->begin) + a->bytes;
  end = isToTheEnd ? roundedUp(end, kPage) : end / kPage * kPage;
  if (end <= begin) return;
  mprotect(reinterpret_cast<void*>(begin), end - begin, isWritten ? PROT_NONE : PROT_READ);
  operation.closed.push_back({reinterpret_cast<char*>(begin), end - begin});
}

/// Handles access to closed memory by host code. Returns empty text if the access may continue,
/// because memory is open now; otherwise the operations that forbid it: "the kernel step of
/// main.cu:12, ...".
static std::string whatForbids(const Allocation& a, const char* address, bool writes,
                               const std::function<std::string()>& where) {
  std::string list;
  const auto forbid = [&](const Operation& operation) {
    list += (list.empty() ? "the " : ", the ") + operation.what + " of " + place(operation.caller);
  };
  std::vector<OperationPointer> mapped;
  for (const OperationPointer& operation : pendingOperations()) {
    if (a.kind == Kind::managed) {
      if (mayReach(*operation, a)) forbid(*operation);
    } else if (closes(*operation, address)) {
      // A kernel's use of pinned memory is unknown before it has run.
      if (operation->arguments) mapped.push_back(operation);
      else forbid(*operation);
    }
  }
  if (!list.empty()) return list;
  open(a);
  for (const OperationPointer& operation : mapped) {
    if (!writes) rememberRead(*operation, a, address, where());
    operation->closed.clear();
  }
  return "";
}

void compareEarlyReads(const Operation& operation, bool nobodyWaits) {
  for (const EarlyRead& read : earlyReads())
    if (read.before == &operation && !nobodyWaits &&
        std::memcmp(read.address, read.bytes.data(), read.bytes.size()) != 0)
      report(read.text);
  std::erase_if(earlyReads(), [&](const EarlyRead& read) { return read.before == &operation; });
}

namespace {

struct Fault {
  const char* address;
  bool writes;
  std::vector<const void*> frames;  ///< code of the access, then of its callers
  std::string where;
  std::string forbids;  ///< operations that may be running

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
#elif defined(__aarch64__)
  // Records with kind and size. One has the reason of the fault, whose bit 6 means "write".
  const char* record = reinterpret_cast<const char*>(context.uc_mcontext.__reserved);
  for (const _aarch64_ctx* head; (head = reinterpret_cast<const _aarch64_ctx*>(record))->magic != 0;
       record += head->size)
    if (head->magic == ESR_MAGIC)
      return (reinterpret_cast<const esr_context*>(record)->esr & 1u << 6) != 0;
  return false;
#endif
}

/// Returns whether the instruction is atomic, which host code uses to meet a kernel intentionally.
bool isAtomic(const void* instruction) {
#if defined(__x86_64__)
  const auto* code = static_cast<const unsigned char*>(instruction);
  constexpr unsigned char kLock = 0xf0, kExchangeBytes = 0x86, kExchange = 0x87;
  if (code[0] == kLock) return true;
  if ((code[0] & 0xf0) == 0x40 || code[0] == 0x66) ++code;  // a prefix for the size
  return code[0] == kExchangeBytes || code[0] == kExchange;
#else
  (void)instruction;
  return false;
#endif
}

/// Returns whether an address is just beyond the end of the stack in use.
bool isStackOverflow(const ucontext_t& context, const void* address) {
#if defined(__x86_64__)
  const auto top = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  const std::uintptr_t top = context.uc_mcontext.sp;
#endif
  constexpr std::uintptr_t kFrame = 64 * 1024;  // the largest that is looked for
  return reinterpret_cast<std::uintptr_t>(address) - top + kFrame < 2 * kFrame;
}

/// Sets the result of a GPU's division by zero, all ones, and continues after it. Returns false for
/// code that it cannot read.
bool skipDivision(ucontext_t& context) {
#if defined(__x86_64__)
  auto& registers = context.uc_mcontext.gregs;
  const auto* code = reinterpret_cast<const unsigned char*>(registers[REG_RIP]);
  if (*code == 0x66) ++code;
  if ((*code & 0xf0) == 0x40) ++code;  // a prefix for registers and width
  constexpr unsigned char kDivideBytes = 0xf6, kDivide = 0xf7;
  if (*code != kDivide && *code != kDivideBytes) return false;
  const unsigned mode = code[1] >> 6, base = code[1] & 7;
  const bool hasIndex = mode != 3 && base == 4;
  const bool isRelative = mode == 0 && (base == 5 || (hasIndex && (code[2] & 7) == 5));
  const int offset = mode == 1 ? 1 : mode == 2 || isRelative ? 4 : 0;
  registers[REG_RAX] = -1;
  registers[REG_RIP] = reinterpret_cast<greg_t>(code + 2 + hasIndex + offset);
  return true;
#else
  (void)context;
  return false;
#endif
}

/// Returns "thread (3,0,0) of block (0,0,0) at forces.cu:40".
std::string threadAt(const std::string& where) {
  return "thread " + triple(::threadIdx) + " of block " + triple(::blockIdx) + " at " + where;
}

std::string textOfKernel(const Fault& fault) {
  std::string text = "executor: out of bounds: a kernel " + fault.does() +
                     "memory outside all device arrays, in thread " + triple(::threadIdx) +
                     " of block " + triple(::blockIdx) + " at " + fault.where + ".";
  const Allocation* a = allocationOnce(fault.address);
  if (a == nullptr || !a->isFreed) return text;
  return text + "\n  It was " + describe(*a) + whenFreed(*a) + ".";
}

std::string textOfOverflow(const Fault& fault) {
  return "executor: stack overflow: " + threadAt(fault.where) +
         ".\n  The recursion is too deep, or local arrays are too large. A thread on a GPU has an "
         "even smaller stack: 1 KiB, unless "
         "cudaDeviceSetLimit() asks for more.";
}

std::string textOfHost(const Fault& fault) {
  const std::string start = "host code " + fault.does();
  if (const std::string name = symbolAt(fault.address); !name.empty())
    return "executor: device memory on the host: " + start + "the device variable '" + name +
           "' at " + fault.where + ".\n  Use cudaMemcpyFromSymbol() or cudaMemcpyToSymbol().";
  const Allocation* a = allocationOnce(fault.address);
  if (a == nullptr)
    return isDeviceAddress(fault.address)
               ? "executor: device memory on the host: " + start +
                     "device memory outside all arrays at " + fault.where + "."
               : "";
  if (a->isFreed)
    return "executor: use after free: host code at " + fault.where + " " + fault.does() +
           describe(*a) + whenFreed(*a) + ".";
  if (a->kind == Kind::device)
    return "executor: device memory on the host: " + start + describe(*a) + " at " + fault.where +
           ".\n  Copy it with cudaMemcpy(), or allocate it with cudaMallocManaged().";
  return "executor: missing synchronisation: " + start + describe(*a) + " at " + fault.where +
         ", but " + fault.forbids +
         " may still use this memory.\n  Wait with cudaDeviceSynchronize() or "
         "cudaStreamSynchronize() first.";
}

/// Returns whether memory was closed only to notice the access. Then it is open now.
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

/// Returns addresses of code: of the instruction, then of its callers.
std::vector<const void*> framesOf(const ucontext_t& context) {
  constexpr int kMostFrames = 64;
  void* frames[kMostFrames];
  const int count = backtrace(frames, kMostFrames);
  std::vector<const void*> addresses{instructionOf(context)};
  addresses.insert(addresses.end(), frames, frames + count);
  return addresses;
}

/// Handles Ctrl-C, or the signal of a time limit.
void onEnd(int signal, siginfo_t*, void* data) {
  const bool isInKernel = currentThread.inKernel;
  if (isInKernel) checker::leaveThread();
  if (const std::string kernel = runningKernel(); !kernel.empty()) {
    const std::string where =
        isInKernel ? ": " + threadAt(hostPlace(framesOf(*static_cast<ucontext_t*>(data)), true)) +
                         " was running"
                   : "";
    const std::string name = signal == SIGINT ? "Ctrl-C (SIGINT)" : "SIGTERM";
    report("executor: stopped by " + name + " in " + kernel + where + ".");
    reportHeld();
    std::fflush(nullptr);
    _exit(128 + signal);
  }
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void onFault(int signal, siginfo_t* info, void* data) {
  static thread_local bool isAgain = false;
  if (isAgain) _exit(128 + signal);
  isAgain = true;
  auto& context = *static_cast<ucontext_t*>(data);
  const bool isInKernel = currentThread.inKernel;
  if (isInKernel) checker::leaveThread();  // work of the runtime is not the kernel's
  const std::vector<const void*> addresses = framesOf(context);
  Fault fault{static_cast<const char*>(info->si_addr), isWrite(context), addresses, "", ""};
  if (signal != SIGFPE && mayGoOn(fault, instructionOf(context))) {
    isAgain = false;
    return;
  }
  fault.where = hostPlace(addresses, true);
  if (signal == SIGFPE && isInKernel) {
    report("executor: integer division by zero, or a quotient that is too large: " +
               threadAt(fault.where) +
               ".\n  On a GPU the result is undefined and the kernel continues, as it does here.",
           "division " + fault.where);
    if (skipDivision(context)) {
      isAgain = false;
      checker::resumeThread();
      return;
    }
  }
  const bool hasOverflowed =
      isInKernel && signal == SIGSEGV && isStackOverflow(context, fault.address);
  const std::string text = hasOverflowed      ? textOfOverflow(fault)
                           : isInKernel       ? textOfKernel(fault)
                           : signal == SIGFPE ? ""
                                              : textOfHost(fault);
  // two threads may end at the same time
  if (!text.empty()) report(text, hasOverflowed ? "stack overflow " + fault.where : "");
  else
    report(std::string("executor: ") +
           (signal == SIGFPE ? "integer division by zero, or a quotient that is too large,"
                             : "segmentation fault") +
           " in host code at " + fault.where + ".");
  reportHeld();
  std::fflush(nullptr);
  _exit(text.empty() ? 128 + signal : 1);
}

}  // namespace

void catchFaults() {
  if (!runtimeSettings().protect) return;
  static const SignalStack& signalStack = *new SignalStack;  // kept until the program's end
  (void)signalStack;
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
  sigaction(SIGFPE, &action, nullptr);
  action.sa_sigaction = onEnd;
  for (int signal : {SIGINT, SIGTERM}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);
  }
  void* frame = nullptr;
  backtrace(&frame, 1);  // loads its library now, because the handler might not be able to
}

}  // namespace nbody::executor::runtime
