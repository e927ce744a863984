// Which memory an access is of, where it is not of the array used last.
#include <memory>

#include "executor/checker/check.hpp"
#include "executor/checker/checker.hpp"
#include "executor/checker/program.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::checker {

namespace {

bool within(const char* address, const void* begin, std::size_t bytes) {
  const char* first = static_cast<const char*>(begin);
  return address >= first && address < first + bytes;
}

/// Memory of the OS thread that runs kernels, and of the launch.
struct OwnMemory {
  const char* threadLocal = nullptr;
  Stack stack;
  const void* arguments = nullptr;
  std::size_t argumentBytes = 0;
};
OwnMemory own;

std::string (*runtimesName)(const void* address) = nullptr;

std::vector<std::unique_ptr<Array>>& staticShared() {
  static std::vector<std::unique_ptr<Array>> list;
  return list;
}

}  // namespace

void addStaticShared() {
  char* begin = threadLocalBegin();
  if (own.threadLocal == begin) return;
  own.threadLocal = begin;
  own.stack = ownStack();
  for (const auto& array : staticShared()) removeArray(*array);
  staticShared().clear();
  for (const Symbol& symbol : program().staticShared) {
    staticShared().push_back(
        std::make_unique<Array>(begin + symbol.offset, symbol.bytes, Space::shared, symbol.name));
    staticShared().back()->symbol = &symbol;
    addArray(*staticShared().back());
  }
}

void addDeviceVariables() {
  static std::vector<std::unique_ptr<Array>> variables;
  if (!variables.empty() || program().deviceBegin == program().deviceEnd) return;
  for (const Symbol& symbol : program().variables) {
    char* const begin = reinterpret_cast<char*>(program().base + symbol.offset);
    if (!program().isDeviceVariable(begin)) continue;
    variables.push_back(std::make_unique<Array>(begin, symbol.bytes, Space::global, symbol.name));
    variables.back()->setWritten(0, symbol.bytes, true);
    addArray(*variables.back());
  }
}

void setArguments(const void* begin, std::size_t bytes) {
  own.arguments = begin;
  own.argumentBytes = bytes;
}

void setStrayNames(std::string (*nameOf)(const void* address)) { runtimesName = nameOf; }

bool isOrdinary(const char* address, bool writes) {
  if (within(address, own.arguments, own.argumentBytes)) return true;
  // They may follow a static shared array, and no kernel writes them.
  if (!writes && (within(address, &currentThread, sizeof currentThread) ||
                  within(address, &::threadIdx, sizeof ::threadIdx) ||
                  within(address, &::blockIdx, sizeof ::blockIdx) ||
                  within(address, &::blockDim, sizeof ::blockDim) ||
                  within(address, &::gridDim, sizeof ::gridDim)))
    return true;
  for (const Symbol& guard : program().guards)
    if (within(address, own.threadLocal + guard.offset, guard.bytes)) return true;
  return within(address, program().begin, program().end - program().begin) &&
         !program().isDeviceVariable(address) && !program().isHostVariable(address);
}

std::string strayName(const char* address) {
  if (within(address, own.stack.low, own.stack.bytes)) return "the host's stack";
  if (program().isHostVariable(address)) {
    const Symbol* const variable = program().variableAt(address);
    return variable == nullptr ? "a variable of the host" : "the host's variable " + variable->name;
  }
  return runtimesName == nullptr ? "" : runtimesName(address);
}

Array* staticSharedNear(const char* address) {
  if (!within(address, own.threadLocal, program().threadLocalBytes)) return nullptr;
  Array* near = nullptr;
  for (const auto& array : staticShared())
    if (array->begin <= address && (near == nullptr || array->begin > near->begin))
      near = array.get();
  return near;
}

Array* locate(const char* address, std::size_t bytes, bool writes, std::uint32_t code) {
  const Pause pause;
  if (isOrdinary(address, writes)) return nullptr;
  Array* array = arrayAround(address);
  if (array == nullptr) array = staticSharedNear(address);
  if (array != nullptr && array->holds(address, bytes)) {
    array->touched = true;
    lastArray = array;
    return array;
  }
  foundOutside(array, address, bytes, writes, code);  // does not return
}

}  // namespace nbody::executor::checker
