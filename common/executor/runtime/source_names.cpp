#include "executor/runtime/source_names.hpp"

#include <execinfo.h>
#include <regex.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "executor/checker/program.hpp"
#include "executor/messages.hpp"
#include "executor/runtime/caller.hpp"

namespace nbody::executor::runtime {

namespace {

/// Returns whether a line from addr2line belongs to the program, not to the executor or a library.
bool isOwnLine(const std::string& line) {
  return line[0] != '?' && line.rfind("/usr/", 0) != 0 && !isOfExecutor(line) &&
         line.find("/include/cccl/") == std::string::npos && line.find(":?") == std::string::npos;
}

}  // namespace

std::vector<const void*> runningCode() {
  constexpr int kMost = 64;  // Thrust's functions call each other a dozen deep
  void* frames[kMost];
  return std::vector<const void*>(frames, frames + backtrace(frames, kMost));
}

std::vector<std::string> hostPlaces(const std::vector<const void*>& addresses, bool isInstruction) {
  std::vector<std::string> found;
  std::vector<std::uint64_t> offsets;
  for (const void* address : addresses) {
    const bool isExact = isInstruction && offsets.empty();
    offsets.push_back(reinterpret_cast<std::uintptr_t>(address) - checker::program().base -
                      !isExact);
  }
  std::istringstream output(checker::addr2line("-i", offsets));
  for (std::string line; std::getline(output, line);) {
    line = line.substr(0, line.find(' '));
    const std::size_t colon = line.rfind(':');
    if (colon == std::string::npos || !isOwnLine(line)) continue;
    const std::string own =
        executor::place(line.substr(0, colon).c_str(), std::atoi(line.c_str() + colon + 1));
    if (std::find(found.begin(), found.end(), own) == found.end()) found.push_back(own);
  }
  return found;
}

std::string hostPlace(const std::vector<const void*>& addresses, bool isInstruction) {
  const std::vector<std::string> found = hostPlaces(addresses, isInstruction);
  return found.empty() ? kUnknownLine : found.front();
}

const char* lineOfCaller() {
  static auto& lines = *new std::map<std::vector<const void*>, std::string>;  // addr2line is slow
  static std::mutex mutex;
  const std::vector<const void*> addresses = runningCode();
  const std::lock_guard lock(mutex);
  std::string& line = lines[addresses];
  if (line.empty()) line = hostPlace(addresses);
  return line.c_str();
}

constexpr char kCode = '@';  // first character of the name of a place

/// Returns a name that replaces a file's name and stands for the place of \p addresses. Few of
/// these places are shown, and addr2line is slow. It lives as long as the program.
static const char* codeName(const std::vector<const void*>& addresses) {
  static auto& names = *new std::set<std::string>;  // used at the program's end too
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

namespace {

/// Facts about a line: names that its calls give to memory, and how many calls have run.
struct Line {
  std::vector<std::string> names;
  std::size_t calls = 0;
};

/// Returns the text of the line, and that of the next two, which may contain a call's arguments.
std::pair<std::string, std::string> textOfCall(const Caller& caller) {
  std::ifstream stream(caller.file);
  std::string own, rest, line;
  for (int number = 1; number <= caller.line + 2 && std::getline(stream, line); ++number)
    if (number >= caller.line) (number == caller.line ? own : rest) += line + " ";
  return {own, rest};
}

/// Compiles a pattern with the C library, because <regex> would add three seconds to compilation.
regex_t compiled(const char* text) {
  regex_t form;
  regcomp(&form, text, REG_EXTENDED);
  return form;
}

/// Returns the names in the calls that begin on the line, or else in the first call after it.
std::vector<std::string> readNames(const Caller& caller) {
  // The call, the casts and & before its first argument, then a name: p, body[i].x or this->p.
  static const regex_t form = compiled(R"(cuda(Malloc|HostAlloc)\w*\s*(<[^>]*>)?\s*\(\s*)"
                                       R"(((\([^()]*\)|\w+_cast\s*<[^>]*>\s*\(|[&(])\s*)*)"
                                       R"(([A-Za-z_](\w|\.|->|::|\[[^]]*\])*))");
  constexpr int kName = 5;  // the fifth bracket that opens
  std::array<regmatch_t, kName + 1> match;
  const auto [own, rest] = textOfCall(caller);
  const std::string text = own + rest;
  std::vector<std::string> names;
  for (std::size_t at = 0; names.empty() || at < own.size(); at += match[0].rm_eo) {
    if (regexec(&form, text.c_str() + at, match.size(), match.data(), 0) != 0) break;
    if (!names.empty() && at + match[0].rm_so >= own.size()) break;
    names.push_back(text.substr(at + match[kName].rm_so, match[kName].rm_eo - match[kName].rm_so));
  }
  // If a loop or a condition decides which call runs next, no name is better than another.
  static const regex_t chooses = compiled(R"(\<(for|while|if|else)\>|\?)");
  if (names.size() > 1 && regexec(&chooses, own.c_str(), 0, nullptr, 0) == 0) names.clear();
  return names;
}

}  // namespace

std::string nameOfArray(const Caller& caller, std::size_t bytes) {
  static auto& lines = *new std::map<std::pair<std::string, int>, Line>;
  if (caller.file != nullptr && caller.line > 0) {
    const auto [position, isNew] = lines.try_emplace({caller.file, caller.line});
    Line& line = position->second;
    if (isNew) line.names = readNames(caller);
    if (!line.names.empty()) return line.names[line.calls++ % line.names.size()];
  }
  return "an array of " + std::to_string(bytes) + " bytes";
}

}  // namespace nbody::executor::runtime

nbody::executor::Caller nbody::executor::callerOfThrust() {
  return Caller(runtime::codeName(runtime::runningCode()), 0);
}
