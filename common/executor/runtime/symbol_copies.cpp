// Copies to and from variables of the device.
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/copy_work.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/symbol_api.hpp"
#include "executor/runtime/symbols.hpp"
#include "executor/threads.hpp"

using namespace nbody::executor::runtime;

namespace nbody::executor {

void giveSymbolAddress(const void* variable) {
  const ApiCall call;
  giveAddress(variable);
}

void noteHostAddress(const volatile void* variable) {
  if (currentThread.inKernel) return;
  const ApiCall call;
  runtime::noteHostAddress(const_cast<const void*>(variable));
}

/// Says what is wrong with a copy to or from a variable; empty: it stays within.
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

static cudaError_t copyBySymbol(const char* what, void* to, const void* from, std::size_t bytes,
                                cudaMemcpyKind kind, cudaStream_t stream, bool isAsync,
                                const Caller& caller) {
  return copy({what,
               Rows{static_cast<char*>(to), bytes},
               ConstRows{static_cast<const char*>(from), bytes},
               bytes,
               1,
               kind,
               stream,
               isAsync,
               caller,
               {},
               true});
}

cudaError_t copyToSymbol(void* symbol, std::size_t size, const void* from, std::size_t bytes,
                         std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool isAsync,
                         Caller caller) {
  const char* what = isAsync ? "cudaMemcpyToSymbolAsync" : "cudaMemcpyToSymbol";
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
    return wrongWay(what, "to", caller);
  if (const std::string wrong = leaves(what, size, bytes, offset, caller); !wrong.empty())
    return mistake(cudaErrorInvalidValue, wrong);
  return copyBySymbol(what, static_cast<char*>(symbol) + offset, from, bytes, kind, stream, isAsync,
                      caller);
}

cudaError_t copyFromSymbol(void* to, const void* symbol, std::size_t size, std::size_t bytes,
                           std::size_t offset, cudaMemcpyKind kind, Caller caller) {
  const char* what = "cudaMemcpyFromSymbol";
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
    return wrongWay(what, "from", caller);
  if (const std::string wrong = leaves(what, size, bytes, offset, caller); !wrong.empty())
    return mistake(cudaErrorInvalidValue, wrong);
  return copyBySymbol(what, to, static_cast<const char*>(symbol) + offset, bytes, kind, nullptr,
                      false, caller);
}

}  // namespace nbody::executor
