// Wrong accesses: host code touches memory while work that may use it is running, or host code or a
// kernel touches memory that it must not use.
#include <dlfcn.h>
#include <execinfo.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/text.hpp"
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
  forEachWord(begin, bytes, [&](const void* word) {
    if (const Allocation* a = allocationOf(word)) visit(*a);
  });
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
  const Uses& uses = operation.uses;
  forEachPointer(uses.arguments.get(), uses.argumentBytes, add);
  for (const Uses::Memory& memory : uses.memory)
    if (const Allocation* a = allocationOf(memory.begin)) add(*a);
  if (uses.arguments) forEachSymbolWord(add);
  while (!left.empty() && seen.count(&goal) == 0) {
    const Allocation& a = *left.back();
    left.pop_back();
    forEachPointer(aliasOf(a.begin), std::min(a.bytes, kMostBytes), add);
  }
  return seen.count(&goal) != 0;
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

/// Closes whole pages of pinned memory, to all accesses or to writes.
static void closePages(Operation& operation, const Allocation& a, const Uses::Memory& memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory.begin);
  const auto begin = roundedUp(address, kPage);
  auto end = address + memory.bytes;
  const bool isToTheEnd = end == reinterpret_cast<std::uintptr_t>(a.begin) + a.bytes;
  end = isToTheEnd ? roundedUp(end, kPage) : end / kPage * kPage;
  if (end <= begin) return;
  char* const pages = reinterpret_cast<char*>(begin);
  mprotect(pages, end - begin, memory.how == Uses::How::read ? PROT_READ : PROT_NONE);
  operation.closed.push_back({pages, end - begin});
}

/// Reports an access by host code to memory that queued work uses.
static void touched(const void* address, std::size_t bytes, bool writes, const void* code);

void closeUsed(Operation& operation) {
  if (!runtimeSettings().protect) return;
  Uses& uses = operation.uses;
  forEachPointer(uses.arguments.get(), uses.argumentBytes, [&](const Allocation& a) {
    if (a.kind == Kind::pinned || a.kind == Kind::registered)
      uses.memory.push_back({a.begin, a.bytes, Uses::How::unknown});
  });
  for (const Uses::Memory& memory : uses.memory) {
    const Allocation* a = allocationOf(memory.begin);
    if (a != nullptr && a->kind == Kind::pinned) closePages(operation, *a, memory);
    if (a == nullptr || a->kind == Kind::pinned || a->kind == Kind::registered)
      checker::watchHost(memory.begin, memory.bytes, touched);
  }
}

/// Handles access to closed memory by host code; \p a: its allocation, if it has one. Returns empty
/// text if the program may do this, otherwise the operations that forbid it: "the kernel step of
/// main.cu:12, ...". The memory is open now.
static std::string whatForbids(const Allocation* a, const char* address, std::size_t bytes,
                               bool writes, const std::function<std::string()>& where) {
  if (a != nullptr && a->kind != Kind::registered) open(*a);
  std::string list;
  const auto forbid = [&](const Operation& operation) {
    list += (list.empty() ? "the " : ", the ") + operation.what + " of " + place(operation.caller);
  };
  for (const OperationPointer& operation : pendingOperations()) {
    if (a != nullptr && a->kind == Kind::managed) {
      if (mayReach(*operation, *a)) forbid(*operation);
      continue;
    }
    for (Uses::Memory& memory : operation->uses.memory) {
      const char* begin = static_cast<const char*>(memory.begin);
      if (address + bytes <= begin || begin + memory.bytes <= address) continue;
      // A kernel's use of pinned memory is unknown before it has run.
      if (memory.how != Uses::How::unknown) {
        if (!writes && memory.how == Uses::How::read) continue;
        forbid(*operation);
      } else if (!writes && a != nullptr) {
        rememberRead(*operation, *a, address, where());
      }
      memory.bytes = 0;  // once is enough
    }
  }
  return list;
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
  std::string called;  ///< of a call of an address without code, what it is
  std::string where = {};

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

/// Returns whether the processor has jumped to the address of a fault, where no code is.
bool hasJumped(const ucontext_t& context, const void* address) {
  if (instructionOf(context) == address) return true;
#if defined(__x86_64__)
  constexpr int kAddressBits = 47;  // beyond them, AMD's processors do not give the address
  return context.uc_mcontext.gregs[REG_RIP] >> kAddressBits != 0;
#else
  return false;
#endif
}

/// Returns whether a fault is a call of an address that no memory can have, to which Intel's
/// processors do not jump.
bool failsAtCall(const ucontext_t& context) {
#if defined(__x86_64__)
  constexpr greg_t kGeneralProtection = 13;
  if (context.uc_mcontext.gregs[REG_TRAPNO] != kGeneralProtection) return false;
  const auto* code = static_cast<const unsigned char*>(instructionOf(context));
  constexpr unsigned char kNoTrack = 0x3e, kIndirect = 0xff;
  constexpr int kCall = 2;
  if (*code == kNoTrack) ++code;
  if ((*code & 0xf0) == 0x40) ++code;  // a prefix for registers
  return code[0] == kIndirect && (code[1] >> 3 & 7) == kCall;
#else
  (void)context;
  return false;
#endif
}

/// Makes the context that of the caller, because backtrace() finds no callers of an address without
/// code.
void returnToCaller(ucontext_t& context) {
#if defined(__x86_64__)
  auto& registers = context.uc_mcontext.gregs;
  greg_t& instruction = registers[REG_RIP];
  instruction = *reinterpret_cast<const greg_t*>(registers[REG_RSP]);
  registers[REG_RSP] += sizeof instruction;
#elif defined(__aarch64__)
  constexpr int kLinkRegister = 30;
  auto& instruction = context.uc_mcontext.pc;
  instruction = context.uc_mcontext.regs[kLinkRegister];
#endif
  // A part of the call is of its line. If it was no call, but a damaged stack for example, zero ends
  // the backtrace.
  Dl_info object;
  if (dladdr(instructionOf(context), &object) != 0) --instruction;
  else instruction = 0;
}

/// Returns what the program calls if a fault is a call of an address without code: "a null pointer".
/// The context is then the caller's. Otherwise returns empty text.
std::string calledIn(ucontext_t& context, const void* address) {
  if (!hasJumped(context, address))
    return failsAtCall(context) ? "an address that no memory can have" : "";
  const void* const target = instructionOf(context);
  returnToCaller(context);
  if (target == nullptr) return "a null pointer";
  const Allocation* a = allocationOnce(target);
  return a != nullptr ? "an address in " + describe(*a) : formatted("address %p", target);
}

/// Returns "thread (3,0,0) of block (0,0,0) at forces.cu:40".
std::string threadAt(const std::string& where, uint3 thread = ::threadIdx,
                     uint3 block = ::blockIdx) {
  return "thread " + triple(thread) + " of block " + triple(block) + " at " + where;
}

std::string textOfKernel(const Fault& fault) {
  std::string text = "executor: out of bounds: a kernel " + fault.does() +
                     "memory outside all device arrays, in " + threadAt(fault.where) + ".";
  const Allocation* a = allocationOnce(fault.address);
  if (a == nullptr || !a->isFreed) return text;
  return text + "\n  It was " + describe(*a) + whenFreed(*a) + ".";
}

std::string textOfCall(const Fault& fault) {
  const LaunchedKernel running = runningKernel();
  return "executor: wrong function pointer: kernel '" + std::string(running.kernel->name) +
         "' calls " + fault.called + ", in " + threadAt(fault.where) +
         ".\n  No function is there. Check that the pointer is set before this call, and that "
         "device code takes the function's address.\n  (kernel launched at " +
         place(running.caller) + ")";
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
  return "";
}

/// Reports an access by host code that the operations \p forbids, if there are any.
void reportTouched(const Allocation* a, bool writes, const std::string& where,
                   const std::string& forbids) {
  if (forbids.empty()) return;
  report(std::string("executor: missing synchronisation: host code ") +
         (writes ? "writes " : "reads ") + (a != nullptr ? describe(*a) : "memory") + " at " +
         where + ", but " + forbids +
         " may still use this memory.\n  Wait with cudaDeviceSynchronize() or "
         "cudaStreamSynchronize() first.");
}

/// Returns whether memory was closed only to notice the access. Then it is open now, and a mistake
/// is reported.
bool mayGoOn(const Fault& fault, const void* instruction) {
  const Allocation* a = currentThread.inKernel ? nullptr : allocationOf(fault.address);
  if (a == nullptr || a->kind == Kind::device) return false;
  const ApiCall call(false);
  if (a->kind == Kind::managed && isAtomic(instruction)) {
    shareManaged();
    return true;
  }
  const auto where = [&] { return hostPlace(fault.frames, true); };
  const std::string forbids = whatForbids(a, fault.address, 1, fault.writes, where);
  if (!forbids.empty()) reportTouched(a, fault.writes, where(), forbids);
  return true;
}

/// Returns addresses of code: \p first, then of the running code.
std::vector<const void*> framesFrom(const void* first) {
  std::vector<const void*> addresses = runningCode();
  addresses.insert(addresses.begin(), first);
  return addresses;
}

}  // namespace

static void touched(const void* address, std::size_t bytes, bool writes, const void* code) {
  const ApiCall call(false);
  const Allocation* a = allocationOf(address);
  const auto where = [&] { return hostPlace(framesFrom(code)); };
  const std::string forbids =
      whatForbids(a, static_cast<const char*>(address), bytes, writes, where);
  if (!forbids.empty()) reportTouched(a, writes, where(), forbids);
}

namespace {

constexpr int kMostFrames = 64;

/// Facts that the handler of a signal that ends the program has seen. It may have interrupted
/// code that holds a lock, or malloc() itself. So it only writes this, and another thread reports
/// it, while the interrupted code continues and gives the lock back.
struct Ending {
  sem_t isSeen;
  std::atomic<bool> isComing = false;
  int signal = 0;
  LaunchedKernel kernel;
  double seconds = 0;  ///< processor time of the kernel
  bool isInKernel = false;
  uint3 thread = {}, block = {};
  void* frames[kMostFrames + 1] = {};
  int count = 0;
};
Ending& ending() {
  static Ending& theEnding = *new Ending;
  return theEnding;
}

/// Waits for a signal, reports it and ends the program.
void watchEnding() {
  Ending& e = ending();
  while (sem_wait(&e.isSeen) != 0) continue;
  const std::vector<const void*> frames(e.frames, e.frames + e.count);
  const std::string stopped = std::string("executor: stopped by ") +
                              (e.signal == SIGINT ? "Ctrl-C (SIGINT)" : "SIGTERM") + " in ";
  if (e.signal != SIGABRT && e.kernel.kernel == nullptr) {
    std::string text = stopped + "host code";
    const std::vector<std::string> lines = hostPlaces(frames, true);
    for (const std::string& line : lines)
      text += (line == lines.front() ? " at " : ", called at ") + line;
    report(text + ".");
  } else if (e.signal != SIGABRT) {
    std::string where;
    if (e.isInKernel)
      where = ": " + threadAt(hostPlace(frames, true), e.thread, e.block) + " was running";
    report(stopped + "kernel '" + e.kernel.kernel->name + "', launched at " +
           place(e.kernel.caller) + ", after " + formatted("%.2g s", e.seconds) + where + ".");
  } else {
    reportUnseen(128 + SIGABRT);
    checker::writeRecords();
  }
  reportHeld();
  std::fflush(nullptr);
  if (e.signal != SIGABRT) _exit(128 + e.signal);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  raise(SIGABRT);  // whose default action is set again
}

/// Handles Ctrl-C, the signal of a time limit, or abort(). A second signal ends the program at once.
void onEnd(int signal, siginfo_t*, void* data) {
  Ending& e = ending();
  e.kernel = runningKernel();
  e.signal = signal;
  e.seconds = processorSeconds() - e.kernel.began;
  e.isInKernel = currentThread.inKernel;
  if (e.isInKernel) {
    e.thread = ::threadIdx;
    e.block = ::blockIdx;
  }
  if (e.isInKernel || e.kernel.kernel == nullptr) {
    e.frames[0] = const_cast<void*>(instructionOf(*static_cast<ucontext_t*>(data)));
    e.count = 1 + backtrace(e.frames + 1, kMostFrames);
  }
  e.isComing = true;
  sem_post(&e.isSeen);
  constexpr unsigned kMostSeconds = 10;  // abort() ends the program when this returns
  if (signal == SIGABRT) sleep(kMostSeconds);
}

}  // namespace

void waitForEnding() {
  while (ending().isComing) pause();
}

namespace {

/// Starts the thread that reports signals, which gets none itself.
void startWatching() {
  sem_init(&ending().isSeen, 0, 0);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(watchEnding).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void onFault(int signal, siginfo_t* info, void* data) {
  static thread_local bool isAgain = false;
  if (isAgain) _exit(128 + signal);
  isAgain = true;
  auto& context = *static_cast<ucontext_t*>(data);
  const bool isInKernel = currentThread.inKernel;
  if (isInKernel) checker::leaveThread();  // work of the runtime is not the kernel's
  const std::string called = signal == SIGFPE ? "" : calledIn(context, info->si_addr);
  const std::vector<const void*> addresses = framesFrom(instructionOf(context));
  Fault fault{static_cast<const char*>(info->si_addr), isWrite(context), addresses, called};
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
  // Memory may lie next to a stack, so a call of an address there is not meant.
  const bool hasOverflowed = isInKernel && called.empty() && signal == SIGSEGV &&
                             isStackOverflow(context, fault.address);
  const std::string text = hasOverflowed                   ? textOfOverflow(fault)
                           : isInKernel && !called.empty() ? textOfCall(fault)
                           : isInKernel                    ? textOfKernel(fault)
                           : signal == SIGFPE              ? ""
                                                           : textOfHost(fault);
  // two threads may end at the same time
  if (!text.empty()) report(text, hasOverflowed ? "stack overflow " + fault.where : "");
  else
    report(std::string("executor: ") +
           (signal == SIGFPE ? "integer division by zero, or a quotient that is too large,"
                             : "segmentation fault") +
           " in host code at " + fault.where + ".");
  if (text.empty())
    reportUnseen(128 + signal);  // often the cause, such as a handle that was never made
  checker::writeRecords();
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
  startWatching();
  action.sa_sigaction = onEnd;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_RESETHAND;
  for (int signal : {SIGINT, SIGTERM, SIGABRT}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);
  }
  void* frame = nullptr;
  backtrace(&frame, 1);  // loads its library now, because the handler might not be able to
}

}  // namespace nbody::executor::runtime
