#include "executor/runtime/copy_checks.hpp"

#include <functional>

#include "executor/checker/checker.hpp"
#include "executor/checker/program.hpp"
#include "executor/runtime/allocations.hpp"
#include "executor/runtime/host_heap.hpp"
#include "executor/runtime/reports.hpp"
#include "executor/runtime/symbols.hpp"

namespace nbody::executor::runtime {

Side sideOf(const void* pointer) {
  if (const Allocation* a = allocationOnce(pointer)) {
    if (a->kind == Kind::device) return a->isFreed ? Side::nowhere : Side::device;
    if (a->isFreed) return a->kind == Kind::managed ? Side::nowhere : Side::host;
    return Side::either;
  }
  if (isSymbol(pointer)) return Side::either;
  return isDeviceAddress(pointer) ? Side::nowhere : Side::host;
}

HeapBlock (*findHeapBlock)(const void* pointer) = nullptr;

namespace {

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

/// Memory that a copy reads or writes. Its words are made for a message alone, because the place of a
/// call of Thrust takes addr2line milliseconds.
struct NamedMemory {
  const char* begin;
  std::size_t bytes;
  std::function<std::string()> description;
};

/// The array, variable or block of the heap that holds an address, where that is known.
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

}  // namespace

std::string wrongWith(const std::string& what, const Caller& caller, cudaMemcpyKind kind,
                      CopyEnd end) {
  if (end.bytes == 0) return "";
  const auto call = [&] { return what + "() at " + place(caller); };
  const std::string role = end.isTarget ? "destination" : "source";
  if (end.pointer == nullptr)
    return "executor: null pointer: the " + role + " of " + call() + " is null.";
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
  if (isFixed && side == Side::host && what.rfind("cudaMemset", 0) == 0)
    return "executor: not device memory: the destination of " + call() + " is " +
           memory.description() +
           ".\n  Pass an address from cudaMalloc(). Did the allocation fail?";
  if (isFixed && (side == Side::device) != isOnDevice(kind, end.isTarget))
    return "executor: wrong direction: " + call() + " is called with " + nameOf(kind) +
           ", but its " + role + " is " + memory.description() +
           ".\n  Check the direction and the order of the pointers: the destination comes first.";
  const char* p = static_cast<const char*>(end.pointer);
  const auto offset = static_cast<std::size_t>(p - memory.begin);
  const bool isKnown = memory.bytes > 0 || end.room == 0;
  if (!isKnown || (offset <= memory.bytes && end.bytes <= memory.bytes - offset)) return "";
  return "executor: copy out of bounds: " + call() + (end.isTarget ? " writes " : " reads ") +
         bytesAt(end.bytes, offset) + (end.isTarget ? " to " : " of ") + memory.description() +
         ".\n  Check the size of the copy. It is a number of bytes, not of elements.";
}

}  // namespace nbody::executor::runtime
