// CUDA's functions that copy and fill memory.
#include <cstring>
#include <memory>
#include <vector>

#include "executor/checker/checker.hpp"
#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/copy_api.hpp"
#include "executor/runtime/copy_checks.hpp"
#include "executor/runtime/copy_work.hpp"
#include "executor/runtime/early_access.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/graphs.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/runtime/symbols.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::runtime {

/// Whether host code reads what is there without a copy.
static bool isHosts(const void* pointer) {
  const Allocation* a = allocationOf(pointer);
  return a != nullptr ? a->kind != Kind::device : !isSymbol(pointer);
}

/// Whether it is the host's alone, no managed memory either.
static bool isOfHost(const void* pointer) {
  const Allocation* a = allocationOf(pointer);
  return a != nullptr ? a->kind == Kind::pinned || a->kind == Kind::registered : !isSymbol(pointer);
}

static bool isNowhereWritten(const ConstRows& rows, std::size_t width, std::size_t height) {
  for (std::size_t y = 0; y < height; ++y)
    if (!checker::isNowhereWritten(rows.begin + y * rows.pitch, width)) return false;
  return true;
}

void copyRows(const Rows& to, const ConstRows& from, std::size_t width, std::size_t height) {
  if (isSymbol(to.begin) || isSymbol(from.begin)) setSymbolsOpen(true);
  if (isOfHost(to.begin) && isNowhereWritten(from, width, height))
    checker::readUnwritten(from.begin);
  checker::Unwritten unwritten;
  for (std::size_t y = 0; y < height; ++y) {
    char* target = to.begin + y * to.pitch;
    const char* source = from.begin + y * from.pitch;
    std::memmove(aliasOf(target), aliasOf(source), width);
    checker::accessRange(source, width, false);
    checker::accessRange(target, width, true);
    checker::copyWritten(target, source, width);
    if (isHosts(target) && !isHosts(source)) {
      const checker::Unwritten ofRow = checker::unwrittenElements(source, width);
      unwritten.elements += ofRow.elements;
      unwritten.of += ofRow.of;
    }
  }
  checker::notePartlyWritten(from.begin, unwritten);
}

void fillRows(const Rows& rows, int value, std::size_t width, std::size_t height) {
  if (isSymbol(rows.begin)) setSymbolsOpen(true);
  for (std::size_t y = 0; y < height; ++y) {
    std::memset(aliasOf(rows.begin + y * rows.pitch), value, width);
    checker::accessRange(rows.begin + y * rows.pitch, width, true);
    checker::markWritten(rows.begin + y * rows.pitch, width);
  }
}

static bool isPageable(const void* pointer) {
  return allocationOf(pointer) == nullptr && sideOf(pointer) == Side::host;
}

/// The source of an asynchronous copy from pageable memory, which CUDA reads before it returns.
static std::shared_ptr<std::vector<char>> staged(const CopyJob& job) {
  if (!job.isAsync || !runtimeSettings().lazy || !isPageable(job.from.begin)) return nullptr;
  const std::size_t span = job.from.pitch * (job.height - 1) + job.width;
  return std::make_shared<std::vector<char>>(job.from.begin, job.from.begin + span);
}

/// Says what is wrong if an address is the host's for a device variable; empty if it is not.
static std::string wrongSymbol(const char* what, const Caller& caller, const void* pointer) {
  if (currentThread.inKernel) return "";
  const std::string name = symbolByHostAddress(pointer);
  if (name.empty()) return "";
  return "executor: wrong pointer: " + std::string(what) + "() at " + place(caller) +
         " gets the host's address of the device variable '" + name +
         "'.\n  Use cudaMemcpyToSymbol() or cudaMemcpyFromSymbol(), or the address that "
         "cudaGetSymbolAddress() gives.";
}

std::string wrongWith(const CopyJob& job) {
  std::string symbol;
  if (!job.isBySymbol) symbol = wrongSymbol(job.what, job.caller, job.to.begin);
  if (!job.isBySymbol && symbol.empty()) symbol = wrongSymbol(job.what, job.caller, job.from.begin);
  forgetHostAddresses();
  if (!symbol.empty()) return symbol;
  const auto span = [&](std::size_t pitch) { return pitch * (job.height - 1) + job.width; };
  const std::string target = wrongWith(job.what, job.caller, job.kind,
                                       {job.to.begin, span(job.to.pitch), true, job.sizes.to});
  if (!target.empty()) return target;
  return wrongWith(job.what, job.caller, job.kind,
                   {job.from.begin, span(job.from.pitch), false, job.sizes.from});
}

cudaError_t copy(CopyJob job) {
  const ApiCall call;
  countWork();
  if (stickyError() != cudaSuccess) return result();
  if (const cudaError_t error = failureAskedFor(job.what, job.caller); error != cudaSuccess)
    return result(error);
  if (!isStream(job.stream)) return result(cudaErrorInvalidResourceHandle);
  if (job.width == 0 || job.height == 0) return result();
  if (job.height > 1 && (job.width > job.to.pitch || job.width > job.from.pitch))
    return result(cudaErrorInvalidPitchValue);
  if (job.kind < cudaMemcpyHostToHost || job.kind > cudaMemcpyDefault)
    return result(cudaErrorInvalidMemcpyDirection);
  if (const std::string wrong = wrongWith(job); !wrong.empty())
    return mistake(cudaErrorInvalidValue, wrong);
  if (currentThread.inKernel) {  // at once: who waits for it cannot be told
    copyRows(job.to, job.from, job.width, job.height);
    return result();
  }
  if (const cudaError_t error = refuseImplicit(job.stream); error != cudaSuccess)
    return result(error);
  const bool captures = streamOf(job.stream)->capture != nullptr;
  const auto stage = captures ? nullptr : staged(job);
  const OperationPointer operation =
      enqueueOperation(job.stream, job.what, job.caller, [job, stage] {
        if (stickyError() != cudaSuccess) return;  // of a kernel before it
        const char* from = stage ? stage->data() : job.from.begin;
        copyRows(job.to, {from, job.from.pitch}, job.width, job.height);
      });
  if (captures) return result();
  if (!job.isAsync || isPageable(job.to.begin)) {
    finish(operation);
    return result();
  }
  if (operation->isDone) return result();
  operation->touched = {job.to.begin, job.from.begin};
  closePinned(*operation, job.to.begin, job.to.pitch * (job.height - 1) + job.width, true);
  if (!stage)
    closePinned(*operation, job.from.begin, job.from.pitch * (job.height - 1) + job.width, false);
  startProgress();
  return result();
}

cudaError_t fill(FillJob job) {
  const ApiCall call;
  countWork();
  if (stickyError() != cudaSuccess) return result();
  if (const cudaError_t error = failureAskedFor(job.what, job.caller); error != cudaSuccess)
    return result(error);
  if (!isStream(job.stream)) return result(cudaErrorInvalidResourceHandle);
  if (job.width == 0 || job.height == 0) return result();
  const std::size_t span = job.rows.pitch * (job.height - 1) + job.width;
  std::string wrong = wrongSymbol(job.what, job.caller, job.rows.begin);
  forgetHostAddresses();
  if (wrong.empty())
    wrong = wrongWith(job.what, job.caller, cudaMemcpyHostToDevice, {job.rows.begin, span, true});
  if (!wrong.empty()) return mistake(cudaErrorInvalidValue, wrong);
  if (currentThread.inKernel) {
    fillRows(job.rows, job.value, job.width, job.height);
    return result();
  }
  if (const cudaError_t error = refuseImplicit(job.stream); error != cudaSuccess)
    return result(error);
  const OperationPointer operation = enqueueOperation(job.stream, job.what, job.caller, [job] {
    if (stickyError() == cudaSuccess) fillRows(job.rows, job.value, job.width, job.height);
  });
  operation->touched = {job.rows.begin};
  startProgress();
  return result();
}

}  // namespace nbody::executor::runtime

// CUDA's own names.

using namespace nbody::executor;
using namespace nbody::executor::runtime;

static Rows rows(void* begin, std::size_t pitch) { return {static_cast<char*>(begin), pitch}; }
static ConstRows rows(const void* begin, std::size_t pitch) {
  return {static_cast<const char*>(begin), pitch};
}

cudaError_t nbody::executor::copyBytes(void* to, const void* from, std::size_t bytes,
                                       cudaMemcpyKind kind, cudaStream_t stream, bool isAsync,
                                       Caller caller, ObjectSizes sizes) {
  return copy({isAsync ? "cudaMemcpyAsync" : "cudaMemcpy", rows(to, bytes), rows(from, bytes),
               bytes, 1, kind, stream, isAsync, caller, sizes});
}
cudaError_t cudaMemcpy2D(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind,
                         Caller caller) {
  return copy({"cudaMemcpy2D", rows(to, toPitch), rows(from, fromPitch), width, height, kind,
               nullptr, false, caller});
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes, Caller caller) {
  return copy({"cudaMemcpyPeer", rows(to, bytes), rows(from, bytes), bytes, 1,
               cudaMemcpyDeviceToDevice, nullptr, false, caller});
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes,
                                cudaStream_t stream, Caller caller) {
  return copy({"cudaMemcpyPeerAsync", rows(to, bytes), rows(from, bytes), bytes, 1,
               cudaMemcpyDeviceToDevice, stream, true, caller});
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes, Caller caller) {
  return fill({"cudaMemset", rows(pointer, bytes), value, bytes, 1, nullptr, caller});
}
cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream,
                            Caller caller) {
  return fill({"cudaMemsetAsync", rows(pointer, bytes), value, bytes, 1, stream, caller});
}
cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width,
                         std::size_t height, Caller caller) {
  return fill({"cudaMemset2D", rows(pointer, pitch), value, width, height, nullptr, caller});
}
