// Finds the memory of an access that is not to the last array used.
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "executor/checker/checker.hpp"
#include "executor/checker/findings.hpp"
#include "executor/checker/locate.hpp"
#include "executor/checker/program.hpp"
#include "executor/checker/running.hpp"
#include "executor/checker/undefined.hpp"
#include "executor/messages.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::checker {

namespace {

/// Memory of an OS thread that runs kernels.
struct OwnMemory {
  const char* threadLocal = nullptr;
  std::vector<std::unique_ptr<Array>> staticShared;
};
OwnMemory& own() {
  static thread_local OwnMemory memory;
  return memory;
}

Stack launchersStack;

/// Stacks of CUDA threads, of all OS threads.
struct Stacks {
  std::mutex mutex;
  std::vector<Range> all;
};
Stacks& stacks() {
  static auto& theStacks = *new Stacks;
  return theStacks;
}

std::string (*runtimesName)(const void* address) = nullptr;

}  // namespace

void addStaticShared() {
  OwnMemory& mine = own();
  if (mine.threadLocal != nullptr) return;
  char* begin = threadLocalBegin();
  mine.threadLocal = begin;
  for (const Symbol& symbol : program().staticShared) {
    Array& array = *mine.staticShared.emplace_back(
        std::make_unique<Array>(begin + symbol.offset, symbol.bytes, Space::shared, symbol.name));
    array.isDeclared = true;
    array.isDouble = symbol.isDouble;
    addArray(array);
  }
}

void noteLauncher() { launchersStack = ownStack(); }

void addDeviceVariables() {
  static auto& variables = *new std::vector<std::unique_ptr<Array>>;  // used at the program's end
  static bool isDone = false;
  if (std::exchange(isDone, true)) return;
  const std::string marker = "nbody_constant_of_";  // see translate/spaces.py
  std::set<std::string> constants;
  for (const Symbol& symbol : program().variables) {
    if (std::strstr(symbol.mangled, marker.c_str()) == nullptr) continue;
    std::string name = demangled(symbol.mangled);
    constants.insert(name.erase(name.find(marker), marker.size()));
  }
  for (const Symbol& symbol : program().variables) {
    char* const begin = reinterpret_cast<char*>(program().base + symbol.offset);
    const bool isPage = std::strncmp(symbol.mangled, "nbodyDevice", 11) == 0;  // first_object.cpp
    if (isPage || !program().isDeviceVariable(begin)) continue;
    Array& array = *variables.emplace_back(
        std::make_unique<Array>(begin, symbol.bytes, Space::global, demangled(symbol.mangled)));
    array.isDeclared = true;
    array.setWritten(0, symbol.bytes, true);
    array.isConstant = constants.contains(array.name);
    addArray(array);
  }
}

void setArguments(const void* begin, std::size_t bytes) {
  launchArguments = {static_cast<const char*>(begin), bytes};
  areArgumentsDefined = !hasPattern(begin, bytes);
}

void setStrayNames(std::string (*nameOf)(const void* address)) { runtimesName = nameOf; }

/// Returns the range around \p address that a kernel may access although it is no array, stack or
/// argument: indices and the program's constants. Empty if there is none.
static Range ordinaryAround(const char* address, bool writes) {
  const auto rangeOf = [](const auto& variable) {
    return Range{reinterpret_cast<const char*>(&variable), sizeof variable};
  };
  // The indices may follow a static shared array, and no kernel writes them.
  for (const Range& index : {rangeOf(::threadIdx), rangeOf(::blockIdx), rangeOf(::blockDim),
                             rangeOf(::gridDim), rangeOf(currentThread)})
    if (!writes && index.holds(address)) return index;
  for (const Symbol& guard : program().guards) {
    const Range range = {own().threadLocal + guard.offset, guard.bytes};
    if (range.holds(address)) return range;
  }
  const Program& p = program();
  for (const Range& constant :
       {Range{p.begin, static_cast<std::size_t>(p.writableBegin - p.begin)},
        Range{p.writableEnd, static_cast<std::size_t>(p.end - p.writableEnd)}})
    if (constant.holds(address)) return constant;
  return {};
}

void addStack(const void* low, std::size_t bytes) {
  const std::lock_guard lock(stacks().mutex);
  stacks().all.push_back({static_cast<const char*>(low), bytes});
}

namespace {

/// Names of the host's code, by the places that have its address.
struct HostCode {
  std::mutex mutex;
  std::map<const void*, std::string> names;
};
HostCode& hostCode() {
  static auto& theCode = *new HostCode;
  return theCode;
}

}  // namespace

std::string nameOfCode(const void* word) {
  const Program& p = program();
  const char* const address = static_cast<const char*>(word);
  if (address < p.begin || address >= p.end || p.isDeviceVariable(address)) return "";
  static const auto& starts = *[] {
    auto* all = new std::unordered_map<std::uint64_t, const char*>;
    for (const Symbol& function : program().functions)
      all->emplace(function.offset, function.mangled);
    return all;
  }();
  const auto function = starts.find(reinterpret_cast<std::uintptr_t>(address) - p.base);
  if (function != starts.end()) return "the function " + demangled(function->second);
  const Symbol* const table = p.variableAt(address);
  if (table == nullptr || std::strncmp(table->mangled, "_ZTV", 4) != 0) return "";
  const std::string name = demangled(table->mangled);
  return "the virtual functions of " + name.substr(name.rfind(' ') + 1);
}

void addHostCode(const void* place, const std::string& name) {
  const std::lock_guard lock(hostCode().mutex);
  hostCode().names[place] = name;
  someCodeIsHosts = true;
}

void checkHostCode(const void* place, const void* code) {
  if (running.watch == Watch::nothing) return;
  const Pause pause;
  std::string name;
  {
    const std::lock_guard lock(hostCode().mutex);
    const auto position = hostCode().names.find(place);
    if (position == hostCode().names.end()) return;
    const void* now = nullptr;
    std::memcpy(&now, place, sizeof now);
    if (nameOfCode(now) == position->second) name = position->second;
    else hostCode().names.erase(position);
  }
  if (!name.empty())
    foundIndex({.bug = Bug::hostCode,
                .space = Space::global,
                .memory = "",
                .what = name,
                .array = name,
                .later = {.code = offsetInProgram(code)}});
}

void setVirtualTable(const void* place, const void* table) {
  if (currentThread.inKernel) {
    if (!someCodeIsHosts) return;
    const Pause pause;
    const std::lock_guard lock(hostCode().mutex);
    hostCode().names.erase(place);
  } else if (callsOfRuntime == 0) {
    const Array* const array = globalArrayAround(static_cast<const char*>(place));
    if (array != nullptr && array->holds(static_cast<const char*>(place), sizeof table))
      addHostCode(place, nameOfCode(table));
  }
}

/// Returns whether the address is on the stack of a CUDA thread that is not running.
static bool isLocal(const char* address) {
  const std::lock_guard lock(stacks().mutex);
  return std::any_of(stacks().all.begin(), stacks().all.end(),
                     [&](const Range& stack) { return stack.holds(address); });
}

std::string privateName(const void* address) {
  const Pause pause;
  if (running.stack.holds(address)) return "a local variable";
  for (const Array* array : sharedArrays())
    if (array->holds(static_cast<const char*>(address), 1))
      return "shared memory" + (array->name.empty() ? "" : " (" + array->name + ")");
  return "";
}

std::string strayName(const char* address) {
  if (isLocal(address)) return kLocalOfOther;
  if (Range{launchersStack.low, launchersStack.bytes}.holds(address))
    return "a variable on the host's stack";
  if (program().isHostVariable(address)) {
    const Symbol* const variable = program().variableAt(address);
    return variable == nullptr ? "a variable of the host"
                               : kHostVariable + demangled(variable->mangled);
  }
  return runtimesName == nullptr ? "" : runtimesName(address);
}

/// Returns the static shared array next to \p address; null if the address is not in that memory.
static Array* staticSharedNear(const char* address) {
  if (!Range{own().threadLocal, program().threadLocalBytes}.holds(address)) return nullptr;
  Array* near = nullptr;
  for (const auto& array : own().staticShared)
    if (array->begin <= address && (near == nullptr || array->begin > near->begin))
      near = array.get();
  return near;
}

Array* locate(const char* address, std::size_t bytes, bool writes, std::uint32_t code,
              Range& ordinary) {
  const Pause pause;
  Array* array = arrayAround(address);
  if (array != nullptr && array->holds(address, bytes)) return array;
  ordinary = ordinaryAround(address, writes);
  if (ordinary.bytes > 0) return nullptr;
  if (array == nullptr) array = staticSharedNear(address);
  foundOutside(array, address, bytes, writes, code);
  // Only if the kernel continues after it. Once per line and array is enough.
  const bool isBefore = address < array->begin;
  ordinary = {isBefore ? array->begin - array->redZone : array->begin + array->bytes,
              array->redZone};
  return nullptr;
}

void requireAligned(const void* address, unsigned alignment, const char* instruction, Site site) {
  if (!isWatched()) return;
  const Pause pause;
  const auto* const at = static_cast<const char*>(address);
  const Array* const array = arrayThatHolds(at, 1);
  const auto offset = array != nullptr ? static_cast<std::uintptr_t>(at - array->begin)
                                       : reinterpret_cast<std::uintptr_t>(at);
  if (offset % alignment == 0) return;
  foundMisaligned(at, instruction,
                  std::string("The address of ") + instruction + " must be a multiple of " +
                      std::to_string(alignment) + " bytes",
                  offset % alignment, place(site.file, site.line), alignment <= kLargestPiece);
}

void requireInArray(const void* first, const void* last, std::size_t bytes, Site site) {
  if (!isWatched()) return;
  const Pause pause;
  const auto* const end = static_cast<const char*>(last);
  Array* const array = arrayThatHolds(first, 1);
  if (array == nullptr || array->holds(end, bytes)) return;
  if (array->elementBytes == 0) array->elementBytes = bytes;
  foundOutside(array, end, bytes, false, 0, place(site.file, site.line));
}

}  // namespace nbody::executor::checker
