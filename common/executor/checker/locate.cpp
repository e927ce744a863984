// Which memory an access is of, where it is not of the array used last.
#include <memory>

#include "executor/checker/check.hpp"
#include "executor/checker/program.hpp"
#include "executor/threads.hpp"

namespace nbody::executor::checker {

namespace {

bool within(const char* address, const void* begin, std::size_t bytes) {
  const char* first = static_cast<const char*>(begin);
  return address >= first && address < first + bytes;
}

/// The OS thread's own memory, which holds what the launch hands to its kernel.
struct OwnMemory {
  const char* threadLocal = nullptr;
  Stack stack;
};
OwnMemory own;

std::vector<std::unique_ptr<Array>>& staticShared() {
  static std::vector<std::unique_ptr<Array>> list;
  return list;
}

}  // namespace

void addStaticShared() {
  char* begin = threadLocalBegin();
  if (own.threadLocal == begin) return;
  own = {begin, ownStack()};
  for (const auto& array : staticShared()) removeArray(*array);
  staticShared().clear();
  for (const Symbol& symbol : program().staticShared) {
    staticShared().push_back(
        std::make_unique<Array>(begin + symbol.offset, symbol.bytes, Space::shared, symbol.name));
    staticShared().back()->symbol = &symbol;
    addArray(*staticShared().back());
  }
}

bool isOrdinary(const char* address, bool writes) {
  if (within(address, own.stack.low, own.stack.bytes)) return true;
  // It may follow a static shared array, and no kernel writes it.
  if (!writes && within(address, &currentThread, sizeof currentThread)) return true;
  return address >= program().begin && address < program().end;
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
