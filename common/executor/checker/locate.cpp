// Finds the memory of an access that is not to the last array used.
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "executor/checker/checker.hpp"
#include "executor/checker/findings.hpp"
#include "executor/checker/locate.hpp"
#include "executor/checker/program.hpp"
#include "executor/checker/running.hpp"
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

std::string (*runtimesName)(const void* address) = nullptr;

}  // namespace

void addStaticShared() {
  OwnMemory& mine = own();
  if (mine.threadLocal != nullptr) return;
  char* begin = threadLocalBegin();
  mine.threadLocal = begin;
  for (const Symbol& symbol : program().staticShared) {
    mine.staticShared.push_back(
        std::make_unique<Array>(begin + symbol.offset, symbol.bytes, Space::shared, symbol.name));
    mine.staticShared.back()->isDeclared = true;
    mine.staticShared.back()->isDouble = symbol.isDouble;
    addArray(*mine.staticShared.back());
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
    variables.push_back(
        std::make_unique<Array>(begin, symbol.bytes, Space::global, demangled(symbol.mangled)));
    variables.back()->isDeclared = true;
    variables.back()->setWritten(0, symbol.bytes, true);
    variables.back()->isConstant = constants.count(variables.back()->name) != 0;
    addArray(*variables.back());
  }
}

void setArguments(const void* begin, std::size_t bytes) {
  launchArguments = {static_cast<const char*>(begin), bytes};
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

std::string strayName(const char* address) {
  if (Range{launchersStack.low, launchersStack.bytes}.holds(address))
    return "a variable on the host's stack";
  if (program().isHostVariable(address)) {
    const Symbol* const variable = program().variableAt(address);
    return variable == nullptr ? "a variable of the host"
                               : "the host's variable " + demangled(variable->mangled);
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
  foundOutside(array, address, bytes, writes, code);  // does not return
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
