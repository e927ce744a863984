#include "executor/runtime/symbols.hpp"

#include <sys/mman.h>
#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <vector>

#include "executor/checker/checker.hpp"
#include "executor/checker/program.hpp"
#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/copies.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/runtime/symbol_api.hpp"
#include "executor/threads.hpp"

extern "C" {
// Defined in ladder-nvcc's first_object.cpp; null in other programs.
__attribute__((weak)) void nbodyTextFirst();
// Defined there and in last_object.cpp, or in a submission's device_pages.cpp; otherwise null.
__attribute__((weak)) extern char nbodyDeviceFirst[];
__attribute__((weak)) extern char nbodyDeviceLast[];
// Symbols of the linker for the sections; null if there are none.
__attribute__((weak)) extern char __start_nbody_device[];
__attribute__((weak)) extern char __stop_nbody_device[];
__attribute__((weak)) extern char __start_nbody_managed[];
__attribute__((weak)) extern char __stop_nbody_managed[];
}

namespace nbody::executor::runtime {

namespace {

bool within(const void* pointer, const char* begin, const char* end) {
  const char* p = static_cast<const char*>(pointer);
  return begin != nullptr && p >= begin && p < end;
}

bool symbolsAreOpen = true;

}  // namespace

bool isOwnProgram() { return nbodyTextFirst != nullptr; }

void setSymbolsOpen(bool open) {
  const bool haveOwnPages = nbodyDeviceFirst != nullptr && nbodyDeviceLast != nullptr;
  if (!haveOwnPages || symbolsAreOpen == open || !runtimeSettings().protect) return;
  symbolsAreOpen = open;
  mprotect(nbodyDeviceFirst, nbodyDeviceLast - nbodyDeviceFirst,
           open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

bool isSymbol(const void* pointer) {
  return within(pointer, __start_nbody_device, __stop_nbody_device) ||
         within(pointer, __start_nbody_managed, __stop_nbody_managed);
}

static std::set<const void*>& addressesGiven() {
  static auto& addresses = *new std::set<const void*>;
  return addresses;
}

static thread_local std::vector<const void*> hostAddresses;

std::string symbolByHostAddress(const void* pointer) {
  const auto& noted = hostAddresses;
  const bool isNoted = std::find(noted.begin(), noted.end(), pointer) != noted.end();
  return isNoted ? symbolAt(pointer) : symbolNotAsked(pointer);
}

void forgetHostAddresses() { hostAddresses.clear(); }

std::string symbolNotAsked(const void* pointer) {
  if (!within(pointer, __start_nbody_device, __stop_nbody_device)) return "";
  const auto& program = checker::program();
  const auto* variable = program.variableAt(static_cast<const char*>(pointer));
  if (variable == nullptr) return "";
  const auto* begin = reinterpret_cast<const void*>(program.base + variable->offset);
  return addressesGiven().count(begin) != 0 ? "" : checker::demangled(variable->mangled);
}

void forEachSymbolWord(const std::function<void(const Allocation&)>& visit) {
  constexpr std::ptrdiff_t kMostBytes = 1 << 20;
  const bool wasOpen = symbolsAreOpen;
  setSymbolsOpen(true);
  forEachWord(__start_nbody_device,
              std::min(__stop_nbody_device - __start_nbody_device, kMostBytes),
              [&](const void* word) {
                if (const Allocation* a = allocationOf(word)) visit(*a);
              });
  setSymbolsOpen(wasOpen);
}

/// Returns whether a variable or an array of the device has the word, judged by the first bytes.
static bool isOnDevice(const void* word) {
  constexpr std::size_t kMostBytes = 65536;
  bool isThere = false;
  const auto search = [&](const char* begin, std::size_t bytes) {
    for (std::size_t i = 0; !isThere && i + sizeof word <= std::min(bytes, kMostBytes);
         i += sizeof word)
      isThere = std::memcmp(begin + i, &word, sizeof word) == 0;
  };
  const bool wasOpen = symbolsAreOpen;
  setSymbolsOpen(true);
  search(__start_nbody_device, __stop_nbody_device - __start_nbody_device);
  setSymbolsOpen(wasOpen);
  search(__start_nbody_managed, __stop_nbody_managed - __start_nbody_managed);
  forEachAllocation([&](const Allocation& a) {
    if (!a.isFreed && a.kind == Kind::device) search(aliasOf(a.begin), a.bytes);
  });
  return isThere;
}

std::string hostCodeOf(const void* word) {
  static auto& known = *new std::map<const void*, std::string>;
  const auto& program = checker::program();
  const char* const address = static_cast<const char*>(word);
  if (!isOwnProgram() || address < program.begin || address >= program.end) return "";
  const auto [position, isNew] = known.try_emplace(word);
  if (isNew) {
    const std::string name = checker::nameOfCode(word);
    if (!name.empty() && !isOnDevice(word)) position->second = name;
  }
  return position->second;
}

std::string symbolAt(const void* pointer) {
  if (!isSymbol(pointer)) return "";
  const auto* variable = checker::program().variableAt(static_cast<const char*>(pointer));
  return variable == nullptr ? "" : checker::demangled(variable->mangled);
}

}  // namespace nbody::executor::runtime

using namespace nbody::executor::runtime;

namespace nbody::executor {

void noteHostAddress(const volatile void* variable) {
  if (currentThread.inKernel) return;
  const ApiCall call;
  hostAddresses.push_back(const_cast<const void*>(variable));
}

/// Returns the error of a call of \p what, which gets something else instead of a device variable.
static cudaError_t notSymbol(const char* what, const Caller& caller) {
  return refused(cudaErrorInvalidSymbol,
                 "executor: wrong symbol: " + std::string(what) + "() at " +
                     runtime::place(caller) +
                     " gets something that is not a __device__ or __constant__ variable.\n  Pass "
                     "the variable itself, not its name in quotes, its address or a pointer.");
}

cudaError_t copySymbol(const char* what, bool isTo, const void* symbol, std::size_t size,
                       const void* other, std::size_t bytes, std::size_t offset,
                       cudaMemcpyKind kind, cudaStream_t stream, bool isAsync, Caller caller) {
  if (!isSymbol(symbol)) return notSymbol(what, caller);
  const auto call = [&] { return std::string(what) + "() at " + runtime::place(caller); };
  if (kind == cudaMemcpyHostToHost ||
      kind == (isTo ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice))
    return refused(cudaErrorInvalidMemcpyDirection,
                   "executor: wrong direction: " + call() + " copies " + (isTo ? "to" : "from") +
                       " a device variable, but it is called with another direction.");
  if (offset > size || bytes > size - offset)
    return refused(cudaErrorInvalidValue,
                   "executor: copy out of bounds: " + call() + " copies " + std::to_string(bytes) +
                       " bytes" + (offset > 0 ? " at offset " + std::to_string(offset) : "") +
                       ", but the variable has only " + std::to_string(size) + " bytes.");
  const void* const part = static_cast<const char*>(symbol) + offset;
  const Rows to(const_cast<void*>(isTo ? part : other), bytes);
  const ConstRows from(isTo ? other : part, bytes);
  return copy({what, to, from, bytes, 1, kind, stream, isAsync, caller, {}, true});
}

cudaError_t addressOfSymbol(void** pointer, const void* symbol, Caller caller) {
  const ApiCall call;
  if (pointer == nullptr) return result(cudaErrorInvalidValue);
  if (!isSymbol(symbol)) return notSymbol("cudaGetSymbolAddress", caller);
  *pointer = const_cast<void*>(symbol);
  addressesGiven().insert(symbol);
  return result();
}

cudaError_t sizeOfSymbol(std::size_t* size, const void* symbol, std::size_t bytes, Caller caller) {
  const ApiCall call;
  if (size == nullptr) return result(cudaErrorInvalidValue);
  if (!isSymbol(symbol)) return notSymbol("cudaGetSymbolSize", caller);
  *size = bytes;
  return result();
}

}  // namespace nbody::executor
