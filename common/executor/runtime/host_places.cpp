#include "executor/runtime/host_places.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "base/text.hpp"
#include "executor/checker/program.hpp"
#include "executor/messages.hpp"

namespace nbody::executor::runtime {

namespace {

/// Whether a line of addr2line's is of the program itself, not of the executor or a library.
bool isOwnLine(const std::string& line) {
  return line[0] != '?' && line.rfind("/usr/", 0) != 0 &&
         line.find("/common/executor/") == std::string::npos &&
         line.find(":?") == std::string::npos;
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
      return place(line.substr(0, colon).c_str(), std::atoi(line.c_str() + colon + 1));
  }
  return kUnknownLine;
}

}  // namespace nbody::executor::runtime
