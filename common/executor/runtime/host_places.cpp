#include "executor/runtime/host_places.hpp"

#include <execinfo.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <set>

#include "base/text.hpp"
#include "executor/checker/program.hpp"
#include "executor/messages.hpp"
#include "executor/runtime/caller.hpp"

namespace nbody::executor::runtime {

namespace {

/// Whether a line of addr2line's is of the program itself, not of the executor or a library.
bool isOwnLine(const std::string& line) {
  return line[0] != '?' && line.rfind("/usr/", 0) != 0 &&
         line.find("/common/executor/") == std::string::npos &&
         line.find("/include/cccl/") == std::string::npos && line.find(":?") == std::string::npos;
}

std::string command(const std::vector<const void*>& addresses, bool isInstruction) {
  const auto& program = checker::program();
  std::string text = "addr2line -i -e '" + program.path + "'";
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const auto offset = reinterpret_cast<std::uintptr_t>(addresses[i]) - program.base;
    const bool isExact = isInstruction && i == 0;
    text += formatted(" 0x%llx", static_cast<unsigned long long>(isExact ? offset : offset - 1));
  }
  return text + " 2>/dev/null";
}

}  // namespace

std::string hostPlace(const std::vector<const void*>& addresses, bool isInstruction) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command(addresses, isInstruction).c_str(), "r"),
                                             pclose);
  char text[4096];
  while (pipe != nullptr && std::fgets(text, sizeof text, pipe.get()) != nullptr) {
    const std::string line = std::string(text).substr(0, std::string(text).find_first_of(" \n"));
    const std::size_t colon = line.rfind(':');
    if (colon != std::string::npos && isOwnLine(line))
      return executor::place(line.substr(0, colon).c_str(), std::atoi(line.c_str() + colon + 1));
  }
  return kUnknownLine;
}

constexpr char kCode = '@';  // what the name of a place begins with

const char* codeName(const std::vector<const void*>& addresses) {
  static auto& names = *new std::set<std::string>;  // asked at the program's end too
  static std::mutex mutex;
  std::string name;
  for (const void* address : addresses) name += formatted("%c%p", kCode, address);
  const std::lock_guard lock(mutex);
  return names.insert(std::move(name)).first->c_str();
}

std::string placeOfCode(const char* name) {
  std::vector<const void*> addresses;
  for (void* address; *name == kCode && std::sscanf(name + 1, "%p", &address) == 1;) {
    addresses.push_back(address);
    do ++name;
    while (*name != '\0' && *name != kCode);
  }
  return addresses.empty() ? "" : hostPlace(addresses);
}

}  // namespace nbody::executor::runtime

namespace nbody::executor {

Caller callerOfThrust() {
  constexpr int kMostFrames = 48;  // Thrust's functions call each other a dozen deep
  void* frames[kMostFrames];
  const int count = backtrace(frames, kMostFrames);
  return Caller(runtime::codeName(std::vector<const void*>(frames, frames + count)), 0);
}

}  // namespace nbody::executor
