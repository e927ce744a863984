#include "executor/runtime/symbols.hpp"

#include <sys/mman.h>
#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include "executor/checker/program.hpp"
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
  const char* begin = __start_nbody_device;
  const char* end = begin + std::min(__stop_nbody_device - begin, kMostBytes);
  for (; begin != nullptr && begin < end; begin += sizeof(void*)) {
    void* word = nullptr;
    std::memcpy(&word, begin, sizeof word);
    if (const Allocation* a = allocationOf(word)) visit(*a);
  }
  setSymbolsOpen(wasOpen);
}

std::string symbolAt(const void* pointer) {
  if (!isSymbol(pointer)) return "";
  const auto* variable = checker::program().variableAt(static_cast<const char*>(pointer));
  return variable == nullptr ? "" : checker::demangled(variable->mangled);
}

}  // namespace nbody::executor::runtime

using namespace nbody::executor::runtime;

namespace nbody::executor {

void giveSymbolAddress(const void* variable) {
  const ApiCall call;
  addressesGiven().insert(variable);
}

void noteHostAddress(const volatile void* variable) {
  if (currentThread.inKernel) return;
  const ApiCall call;
  hostAddresses.push_back(const_cast<const void*>(variable));
}

/// Returns what is wrong with a copy to or from a variable; empty if it stays within.
static std::string leaves(const char* what, std::size_t size, std::size_t bytes, std::size_t offset,
                          const Caller& caller) {
  if (offset <= size && bytes <= size - offset) return "";
  return std::string("executor: copy out of bounds: ") + what + "() at " + runtime::place(caller) +
         " copies " + std::to_string(bytes) + " bytes" +
         (offset > 0 ? " at offset " + std::to_string(offset) : "") +
         ", but the variable has only " + std::to_string(size) + " bytes.";
}

static cudaError_t wrongWay(const char* what, const char* way, const Caller& caller) {
  return mistake(cudaErrorInvalidMemcpyDirection,
                 std::string("executor: wrong direction: ") + what + "() at " +
                     runtime::place(caller) + " copies " + way +
                     " a device variable, but it is called with another direction.");
}

cudaError_t copyToSymbol(void* symbol, std::size_t size, const void* from, std::size_t bytes,
                         std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool isAsync,
                         Caller caller) {
  const char* what = isAsync ? "cudaMemcpyToSymbolAsync" : "cudaMemcpyToSymbol";
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
    return wrongWay(what, "to", caller);
  if (const std::string wrong = leaves(what, size, bytes, offset, caller); !wrong.empty())
    return mistake(cudaErrorInvalidValue, wrong);
  void* const to = static_cast<char*>(symbol) + offset;
  return copy(
      {what, {to, bytes}, {from, bytes}, bytes, 1, kind, stream, isAsync, caller, {}, true});
}

cudaError_t copyFromSymbol(void* to, const void* symbol, std::size_t size, std::size_t bytes,
                           std::size_t offset, cudaMemcpyKind kind, Caller caller) {
  const char* what = "cudaMemcpyFromSymbol";
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
    return wrongWay(what, "from", caller);
  if (const std::string wrong = leaves(what, size, bytes, offset, caller); !wrong.empty())
    return mistake(cudaErrorInvalidValue, wrong);
  const void* const from = static_cast<const char*>(symbol) + offset;
  return copy({what, {to, bytes}, {from, bytes}, bytes, 1, kind, nullptr, false, caller, {}, true});
}

}  // namespace nbody::executor
