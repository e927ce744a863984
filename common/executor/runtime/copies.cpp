// CUDA's copies and fills, and mistakes in them: direction, length, invalid memory.
#include "executor/runtime/copies.hpp"

#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "executor/checker/checker.hpp"
#include "executor/checker/program.hpp"
#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/graphs.hpp"
#include "executor/runtime/host_heap.hpp"
#include "executor/runtime/memory_api.hpp"
#include "executor/runtime/operations.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/settings.hpp"
#include "executor/runtime/symbols.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::runtime {

HeapBlock (*findHeapBlock)(const void* pointer) = nullptr;

namespace {

/// Side of an address in a copy.
enum class Side { host, device, either, nowhere };

Side sideOf(const void* pointer) {
  if (const Allocation* a = allocationOnce(pointer)) {
    if (a->kind == Kind::device) return a->isFreed ? Side::nowhere : Side::device;
    if (a->isFreed) return a->kind == Kind::managed ? Side::nowhere : Side::host;
    return Side::either;
  }
  if (isSymbol(pointer)) return Side::either;
  return isDeviceAddress(pointer) ? Side::nowhere : Side::host;
}

std::string bytesAt(std::size_t bytes, std::size_t offset) {
  return std::to_string(bytes) + " bytes" +
         (offset > 0 ? ", from byte " + std::to_string(offset) + " on," : "");
}

bool isOnDevice(cudaMemcpyKind kind, bool isTarget) {
  return kind == cudaMemcpyDeviceToDevice ||
         kind == (isTarget ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
}

std::string nameOf(cudaMemcpyKind kind) {
  static constexpr const char* kNames[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                           "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                                           "cudaMemcpyDefault"};
  return kind >= 0 && kind <= cudaMemcpyDefault ? kNames[kind] : "a kind that does not exist";
}

/// Memory that a copy reads or writes. Its description is made only for a message, because
/// addr2line needs milliseconds for the place of a call of Thrust.
struct NamedMemory {
  const char* begin;
  std::size_t bytes;
  std::function<std::string()> description;
};

/// Returns the array, variable or heap block that holds an address, if it is known.
NamedMemory memoryAt(const void* pointer) {
  const char* p = static_cast<const char*>(pointer);
  if (const Allocation* a = allocationOf(p))
    return {a->begin, a->bytes, [a] { return describe(*a); }};
  const HeapBlock block = findHeapBlock != nullptr ? findHeapBlock(p) : HeapBlock{};
  if (block.begin != nullptr)
    return {block.begin, block.bytes, [block] {
              return "host memory (" + std::to_string(block.bytes) + " bytes" +
                     atKnown(", allocated at ", place(Caller(block.caller))) + ")";
            }};
  const auto& program = checker::program();
  if (const auto* variable = program.variableAt(p))
    return {reinterpret_cast<const char*>(program.base + variable->offset), variable->bytes,
            [variable] {
              return "the variable '" + checker::demangled(variable->mangled) + "' (" +
                     std::to_string(variable->bytes) + " bytes)";
            }};
  return {p, 0, [] { return std::string("host memory"); }};
}

/// Returns the bytes from the first to the last, with gaps between rows.
std::size_t spanOf(std::size_t pitch, std::size_t width, std::size_t height) {
  return pitch * (height - 1) + width;
}

/// One end of a copy or fill.
struct CopyEnd {
  const void* pointer;
  std::size_t bytes;  ///< see spanOf()
  bool isTarget;
  std::size_t room =
      static_cast<std::size_t>(-1);  ///< bytes from there on, if the compiler knows them
};

/// Mistake in a copy or fill; empty text: none.
struct Wrong {
  Wrong(std::string text = "", bool isRefused = false)
      : text(std::move(text)), isRefused(isRefused) {}
  std::string text;
  bool isRefused;  ///< a GPU returns an error, and nothing else happens

  cudaError_t error() const {
    return isRefused ? refused(cudaErrorInvalidValue, text) : mistake(cudaErrorInvalidValue, text);
  }
};

/// Returns what is wrong with one end of the operation \p what at \p caller.
Wrong wrongWith(const std::string& what, const Caller& caller, cudaMemcpyKind kind, CopyEnd end) {
  if (end.bytes == 0) return {};
  const auto call = [&] { return what + "() at " + place(caller); };
  const std::string role = end.isTarget ? "destination" : "source";
  if (end.pointer == nullptr)
    return {"executor: null pointer: the " + role + " of " + call() + " is null.", true};
  const Side side = sideOf(end.pointer);
  if (side == Side::nowhere) {
    const Allocation* a = allocationOnce(end.pointer);
    return "executor: use after free: the " + role + " of " + call() +
           (a != nullptr ? " is " + describe(*a) + whenFreed(*a) : " is not in any device array") +
           ".";
  }
  NamedMemory memory = memoryAt(end.pointer);
  if (memory.bytes == 0 && end.room != static_cast<std::size_t>(-1)) {
    memory.bytes = end.room;
    memory.description = [&] { return "a host array (" + std::to_string(end.room) + " bytes)"; };
  }
  const bool isFixed = kind != cudaMemcpyDefault && side != Side::either;
  if (isFixed && side == Side::host && what.starts_with("cudaMemset"))
    return {"executor: not device memory: the destination of " + call() + " is " +
                memory.description() +
                ".\n  Pass an address from cudaMalloc(). Did the allocation fail?",
            true};
  if (isFixed && (side == Side::device) != isOnDevice(kind, end.isTarget))
    return "executor: wrong direction: " + call() + " is called with " + nameOf(kind) +
           ", but its " + role + " is " + memory.description() +
           ".\n  Check the direction and the order of the pointers: the destination comes first.";
  const char* p = static_cast<const char*>(end.pointer);
  const auto offset = static_cast<std::size_t>(p - memory.begin);
  const bool isKnown = memory.bytes > 0 || end.room == 0;
  if (!isKnown || (offset <= memory.bytes && end.bytes <= memory.bytes - offset)) return {};
  return "executor: copy out of bounds: " + call() + (end.isTarget ? " writes " : " reads ") +
         bytesAt(end.bytes, offset) + (end.isTarget ? " to " : " of ") + memory.description() +
         ".\n  Check the size of the copy. It is a number of bytes, not of elements.";
}

/// Returns whether host code can read the memory without a copy.
bool isHosts(const void* pointer) {
  const Allocation* a = allocationOf(pointer);
  return a != nullptr ? a->kind != Kind::device : !isSymbol(pointer);
}

/// Returns whether the memory belongs to the host and is not managed.
bool isOfHost(const void* pointer) {
  const Allocation* a = allocationOf(pointer);
  return a != nullptr ? a->kind == Kind::pinned || a->kind == Kind::registered : !isSymbol(pointer);
}

bool isNowhereWritten(const ConstRows& rows, std::size_t width, std::size_t height) {
  for (std::size_t y = 0; y < height; ++y)
    if (!checker::isNowhereWritten(rows.begin + y * rows.pitch, width)) return false;
  return true;
}

/// Tells the checker which words of host memory, copied to \p target, are addresses of host code.
/// They are known before the copy, because afterwards the device has them too.
void noteHostCode(const char* target, const char* source, std::size_t bytes) {
  if constexpr (!checker::kOn) return;
  constexpr std::size_t kWord = sizeof(void*);
  for (std::size_t i = -reinterpret_cast<std::uintptr_t>(target) % kWord; i + kWord <= bytes;
       i += kWord) {
    void* word = nullptr;
    std::memcpy(&word, source + i, kWord);
    const auto& program = checker::program();
    const char* const address = static_cast<const char*>(word);
    if (address < program.begin || address >= program.end) continue;
    if (const std::string name = hostCodeOf(word); !name.empty())
      checker::addHostCode(target + i, name);
  }
}

/// Copies at once, and tells the checker what was written.
void copyRows(const Rows& to, const ConstRows& from, std::size_t width, std::size_t height) {
  if (isSymbol(to.begin) || isSymbol(from.begin)) setSymbolsOpen(true);
  if (isOfHost(to.begin) && isNowhereWritten(from, width, height))
    checker::readUnwritten(from.begin);
  checker::Unwritten unwritten;
  for (std::size_t y = 0; y < height; ++y) {
    char* target = to.begin + y * to.pitch;
    const char* source = from.begin + y * from.pitch;
    if (!isOfHost(target) && isOfHost(source)) noteHostCode(target, source, width);
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

bool isPageable(const void* pointer) {
  return allocationOf(pointer) == nullptr && sideOf(pointer) == Side::host;
}

/// Returns a copy of pageable memory, which an asynchronous copy in CUDA reads before it returns.
std::shared_ptr<std::vector<char>> staged(const CopyJob& job) {
  if (!job.isAsync || !runtimeSettings().lazy || !isPageable(job.from.begin)) return nullptr;
  const std::size_t span = spanOf(job.from.pitch, job.width, job.height);
  return std::make_shared<std::vector<char>>(job.from.begin, job.from.begin + span);
}

/// Returns what is wrong if the address is the host's for a device variable.
Wrong wrongSymbol(const char* what, const Caller& caller, const void* pointer) {
  if (currentThread.inKernel) return {};
  const std::string name = symbolByHostAddress(pointer);
  if (name.empty()) return {};
  return "executor: wrong pointer: " + std::string(what) + "() at " + place(caller) +
         " gets the host's address of the device variable '" + name +
         "'.\n  Use cudaMemcpyToSymbol() or cudaMemcpyFromSymbol(), or the address that "
         "cudaGetSymbolAddress() gives.";
}

Wrong wrongWith(const CopyJob& job) {
  Wrong symbol;
  if (!job.isBySymbol) symbol = wrongSymbol(job.what, job.caller, job.to.begin);
  if (!job.isBySymbol && symbol.text.empty())
    symbol = wrongSymbol(job.what, job.caller, job.from.begin);
  forgetHostAddresses();
  if (!symbol.text.empty()) return symbol;
  const auto span = [&](std::size_t pitch) { return spanOf(pitch, job.width, job.height); };
  Wrong target = wrongWith(job.what, job.caller, job.kind,
                           {job.to.begin, span(job.to.pitch), true, job.sizes.to});
  if (!target.text.empty()) return target;
  return wrongWith(job.what, job.caller, job.kind,
                   {job.from.begin, span(job.from.pitch), false, job.sizes.from});
}

/// Counts a copy or fill as work. Returns the error that forbids it, if there is one.
template <class Job>
cudaError_t begun(const Job& job) {
  countWork();
  if (stickyError() != cudaSuccess) return stickyError();
  if (const cudaError_t error = failureAskedFor(job.what, job.caller); error != cudaSuccess)
    return error;
  return isStream(job.stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

}  // namespace

cudaError_t copy(CopyJob job) {
  const ApiCall call;
  if (const cudaError_t error = begun(job); error != cudaSuccess) return result(error);
  if (job.width == 0 || job.height == 0) return result();
  if (job.height > 1 && (job.width > job.to.pitch || job.width > job.from.pitch))
    return result(cudaErrorInvalidPitchValue);
  if (job.kind < cudaMemcpyHostToHost || job.kind > cudaMemcpyDefault)
    return result(cudaErrorInvalidMemcpyDirection);
  if (const Wrong wrong = wrongWith(job); !wrong.text.empty()) return wrong.error();
  if (currentThread.inKernel) {  // at once, because waits for it cannot be tracked
    copyRows(job.to, job.from, job.width, job.height);
    return result();
  }
  if (const cudaError_t error = refuseImplicit(job.stream); error != cudaSuccess)
    return result(error);
  const bool captures = streamOf(job.stream)->capture != nullptr;
  const bool waits = !captures && (!job.isAsync || isPageable(job.to.begin));
  const auto stage = captures ? nullptr : staged(job);
  Uses uses;
  if (!waits) {
    const auto span = [&](std::size_t pitch) { return spanOf(pitch, job.width, job.height); };
    uses.memory.push_back({job.to.begin, span(job.to.pitch), Uses::How::written});
    if (!stage) uses.memory.push_back({job.from.begin, span(job.from.pitch), Uses::How::read});
  }
  const OperationPointer operation = enqueueOperation(
      job.stream, job.what, job.caller,
      [job, stage] {
        if (stickyError() != cudaSuccess) return;  // an earlier kernel failed
        const char* from = stage ? stage->data() : job.from.begin;
        copyRows(job.to, {from, job.from.pitch}, job.width, job.height);
      },
      std::move(uses));
  if (waits) finish(operation);
  return result();
}

cudaError_t fill(FillJob job) {
  const ApiCall call;
  if (const cudaError_t error = begun(job); error != cudaSuccess) return result(error);
  if (job.width == 0 || job.height == 0) return result();
  const std::size_t span = spanOf(job.rows.pitch, job.width, job.height);
  Wrong wrong = wrongSymbol(job.what, job.caller, job.rows.begin);
  forgetHostAddresses();
  if (wrong.text.empty())
    wrong = wrongWith(job.what, job.caller, cudaMemcpyHostToDevice, {job.rows.begin, span, true});
  if (!wrong.text.empty()) return wrong.error();
  if (currentThread.inKernel) {
    fillRows(job.rows, job.value, job.width, job.height);
    return result();
  }
  if (const cudaError_t error = refuseImplicit(job.stream); error != cudaSuccess)
    return result(error);
  enqueueOperation(job.stream, job.what, job.caller,
                   [job] {
                     if (stickyError() == cudaSuccess)
                       fillRows(job.rows, job.value, job.width, job.height);
                   },
                   {{{job.rows.begin, span, Uses::How::written}}});
  return result();
}

}  // namespace nbody::executor::runtime

// CUDA's own names.

using namespace nbody::executor;
using namespace nbody::executor::runtime;

cudaError_t nbody::executor::copyBytes(void* to, const void* from, std::size_t bytes,
                                       cudaMemcpyKind kind, cudaStream_t stream, bool isAsync,
                                       Caller caller, ObjectSizes sizes) {
  return copy({isAsync ? "cudaMemcpyAsync" : "cudaMemcpy", Rows(to, bytes), ConstRows(from, bytes),
               bytes, 1, kind, stream, isAsync, caller, sizes});
}
cudaError_t cudaMemcpy2D(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind,
                         Caller caller) {
  return copy({"cudaMemcpy2D", Rows(to, toPitch), ConstRows(from, fromPitch), width, height, kind,
               nullptr, false, caller});
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t toPitch, const void* from,
                              std::size_t fromPitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream, Caller caller) {
  return copy({"cudaMemcpy2DAsync", Rows(to, toPitch), ConstRows(from, fromPitch), width, height,
               kind, stream, true, caller});
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes, Caller caller) {
  return copy({"cudaMemcpyPeer", Rows(to, bytes), ConstRows(from, bytes), bytes, 1,
               cudaMemcpyDeviceToDevice, nullptr, false, caller});
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes,
                                cudaStream_t stream, Caller caller) {
  return copy({"cudaMemcpyPeerAsync", Rows(to, bytes), ConstRows(from, bytes), bytes, 1,
               cudaMemcpyDeviceToDevice, stream, true, caller});
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes, Caller caller) {
  return fill({"cudaMemset", Rows(pointer, bytes), value, bytes, 1, nullptr, caller});
}
cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream,
                            Caller caller) {
  return fill({"cudaMemsetAsync", Rows(pointer, bytes), value, bytes, 1, stream, caller});
}
cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width,
                         std::size_t height, Caller caller) {
  return fill({"cudaMemset2D", Rows(pointer, pitch), value, width, height, nullptr, caller});
}
cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream, Caller caller) {
  return fill({"cudaMemset2DAsync", Rows(pointer, pitch), value, width, height, stream, caller});
}

static char* startOf(const cudaPitchedPtr& memory, const cudaPos& position) {
  return static_cast<char*>(memory.ptr) + (position.z * memory.ysize + position.y) * memory.pitch +
         position.x;
}

/// Copies all slices at once if no rows are between them.
static cudaError_t copySlices(const char* what, const cudaMemcpy3DParms* given, cudaStream_t stream,
                              bool isAsync, Caller caller) {
  if (given == nullptr) return result(cudaErrorInvalidValue);
  if (given->srcArray != nullptr || given->dstArray != nullptr)
    return mistake(cudaErrorNotSupported, "executor: " + std::string(what) + "() at " +
                                              place(caller) +
                                              " uses a cudaArray, which is not supported here.");
  const cudaPitchedPtr &to = given->dstPtr, &from = given->srcPtr;
  const auto [width, height, depth] = given->extent;
  const bool isWhole = height == to.ysize && height == from.ysize;
  const auto wrongAt = [&](const cudaPitchedPtr& memory, const cudaPos& position, bool isTarget) {
    const std::size_t bytes =
        (depth - 1) * memory.ysize * memory.pitch + spanOf(memory.pitch, width, height);
    return wrongWith(what, caller, given->kind, {startOf(memory, position), bytes, isTarget});
  };
  if (!isWhole && width * height * depth > 0) {  // perhaps only the last slice is out of bounds
    for (const Wrong& wrong :
         {wrongAt(to, given->dstPos, true), wrongAt(from, given->srcPos, false)})
      if (!wrong.text.empty()) return wrong.error();
  }
  for (std::size_t z = 0; z < (isWhole ? std::min<std::size_t>(depth, 1) : depth); ++z) {
    const cudaError_t error =
        copy({what, Rows(startOf(to, given->dstPos) + z * to.ysize * to.pitch, to.pitch),
              ConstRows(startOf(from, given->srcPos) + z * from.ysize * from.pitch, from.pitch),
              width, isWhole ? height * depth : height, given->kind, stream, isAsync, caller});
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* given, Caller caller) {
  return copySlices("cudaMemcpy3D", given, nullptr, false, caller);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* given, cudaStream_t stream, Caller caller) {
  return copySlices("cudaMemcpy3DAsync", given, stream, true, caller);
}

static cudaError_t fillSlices(const char* what, cudaPitchedPtr memory, int value, cudaExtent extent,
                              cudaStream_t stream, Caller caller) {
  for (std::size_t z = 0; z < extent.depth; ++z) {
    const cudaError_t error = fill({what, Rows(startOf(memory, {0, 0, z}), memory.pitch), value,
                                    extent.width, extent.height, stream, caller});
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent, Caller caller) {
  return fillSlices("cudaMemset3D", memory, value, extent, nullptr, caller);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent,
                              cudaStream_t stream, Caller caller) {
  return fillSlices("cudaMemset3DAsync", memory, value, extent, stream, caller);
}
