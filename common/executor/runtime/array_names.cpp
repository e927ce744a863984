#include "executor/runtime/array_names.hpp"

#include <regex.h>

#include <array>
#include <fstream>
#include <map>
#include <utility>

namespace nbody::executor::runtime {

namespace {

/// The call's text: its line and the two that follow, as one.
std::string textOfCall(const Caller& caller) {
  std::ifstream stream(caller.file);
  std::string all, line;
  for (int number = 1; number <= caller.line + 2 && std::getline(stream, line); ++number)
    if (number >= caller.line) all += line + " ";
  return all;
}

std::string readName(const Caller& caller) {
  // The call, the casts and & before its first argument, then a name: p, body[i].x or this->p.
  // By the C library: <regex> would take three seconds to compile.
  static const regex_t form = [] {
    regex_t compiled;
    regcomp(&compiled,
            R"(cuda(Malloc|HostAlloc)\w*\s*(<[^>]*>)?\s*\(\s*)"
            R"(((\([^()]*\)|\w+_cast\s*<[^>]*>\s*\(|[&(])\s*)*)"
            R"(([A-Za-z_](\w|\.|->|::|\[[^]]*\])*))",
            REG_EXTENDED);
    return compiled;
  }();
  constexpr int kName = 5;  // its bracket, the fifth that opens
  std::array<regmatch_t, kName + 1> match;
  const std::string text = textOfCall(caller);
  if (regexec(&form, text.c_str(), match.size(), match.data(), 0) != 0) return "";
  return text.substr(match[kName].rm_so, match[kName].rm_eo - match[kName].rm_so);
}

}  // namespace

std::string nameOfArray(const Caller& caller, std::size_t bytes) {
  static auto& names = *new std::map<std::pair<std::string, int>, std::string>;
  std::string name;
  if (caller.file != nullptr && caller.line > 0) {
    const auto [position, isNew] = names.try_emplace({caller.file, caller.line});
    if (isNew) position->second = readName(caller);
    name = position->second;
  }
  return name.empty() ? "an array of " + std::to_string(bytes) + " bytes" : name;
}

}  // namespace nbody::executor::runtime
