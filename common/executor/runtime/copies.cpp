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
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/graphs.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/pinned_pages.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/runtime/symbols.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::runtime {

void copyRows(const Rows& to, const ConstRows& from, std::size_t width, std::size_t height) {
  if (isSymbol(to.begin) || isSymbol(from.begin)) setSymbolsOpen(true);
  for (std::size_t y = 0; y < height; ++y) {
    char* target = to.begin + y * to.pitch;
    const char* source = from.begin + y * from.pitch;
    std::memmove(aliasOf(target), aliasOf(source), width);
    checker::copyWritten(target, source, width);
  }
}

void fillRows(const Rows& rows, int value, std::size_t width, std::size_t height) {
  if (isSymbol(rows.begin)) setSymbolsOpen(true);
  for (std::size_t y = 0; y < height; ++y) {
    std::memset(aliasOf(rows.begin + y * rows.pitch), value, width);
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

std::string wrongWith(const CopyJob& job) {
  const auto span = [&](std::size_t pitch) { return pitch * (job.height - 1) + job.width; };
  const std::string target =
      wrongWith(job.what, job.caller, job.kind, {job.to.begin, span(job.to.pitch), true});
  if (!target.empty()) return target;
  return wrongWith(job.what, job.caller, job.kind, {job.from.begin, span(job.from.pitch), false});
}

cudaError_t copy(CopyJob job) {
  const ApiCall call;
  if (stickyError() != cudaSuccess) return result();
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
        const char* from = stage ? stage->data() : job.from.begin;
        copyRows(job.to, {from, job.from.pitch}, job.width, job.height);
      });
  if (operation->isDone) return result();
  if (!job.isAsync || isPageable(job.to.begin)) {
    finish(operation);
    return result();
  }
  closePinned(*operation, job.to.begin, job.to.pitch * (job.height - 1) + job.width, true);
  if (!stage)
    closePinned(*operation, job.from.begin, job.from.pitch * (job.height - 1) + job.width, false);
  startProgress();
  return result();
}

cudaError_t fill(FillJob job) {
  const ApiCall call;
  if (stickyError() != cudaSuccess) return result();
  if (!isStream(job.stream)) return result(cudaErrorInvalidResourceHandle);
  if (job.width == 0 || job.height == 0) return result();
  const std::size_t span = job.rows.pitch * (job.height - 1) + job.width;
  const std::string wrong =
      wrongWith(job.what, job.caller, cudaMemcpyHostToDevice, {job.rows.begin, span, true});
  if (!wrong.empty()) return mistake(cudaErrorInvalidValue, wrong);
  if (currentThread.inKernel) {
    fillRows(job.rows, job.value, job.width, job.height);
    return result();
  }
  if (const cudaError_t error = refuseImplicit(job.stream); error != cudaSuccess)
    return result(error);
  enqueueOperation(job.stream, job.what, job.caller, [job] {
    fillRows(job.rows, job.value, job.width, job.height);
  });
  startProgress();
  return result();
}

}  // namespace nbody::executor::runtime
