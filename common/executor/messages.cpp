#include "executor/messages.hpp"

#include <algorithm>
#include <cstring>

#include "base/text.hpp"
#include "executor/runtime/source_names.hpp"

namespace nbody::executor {

std::string place(const char* path, int line) {
  if (std::string code = runtime::placeOfCode(path); !code.empty()) return code;
  std::string text = path;
  std::size_t slash = text.rfind('/');
  if (slash != std::string::npos && slash > 0) slash = text.rfind('/', slash - 1);
  if (slash != std::string::npos) text.erase(0, slash + 1);
  return text + ":" + std::to_string(line);
}

std::string at(Site site) {
  return site.line == 0 ? site.function
                        : std::string(site.function) + " at " + place(site.file, site.line);
}

bool isOfExecutor(const std::string& place) {
  const std::size_t found = place.find("/common/executor/");
  return found != std::string::npos && !place.substr(found).starts_with("/common/executor/tests/");
}

std::string triple(uint3 index) { return formatted("(%u,%u,%u)", index.x, index.y, index.z); }

std::string hex(unsigned mask) { return formatted("0x%08x", mask); }

bool isDescription(const std::string& name) {
  constexpr const char* kBegins[] = {"an array of ", "registered memory of ", "memory of a ",
                                     "dynamic shared memory"};
  return std::any_of(std::begin(kBegins), std::end(kBegins),
                     [&](const char* begin) { return name.starts_with(begin); });
}

std::string inQuotes(const std::string& name) {
  const bool isPlain = name.find(' ') == std::string::npos || isDescription(name);
  return isPlain ? name : "'" + name + "'";
}

bool sameLine(Site a, Site b) {
  return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

std::string inJson(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out + "\"";
}

void addToGroup(std::vector<RankGroup>& groups, const std::string& what, int rank) {
  auto group = std::find_if(groups.begin(), groups.end(),
                            [&](const RankGroup& g) { return g.what == what; });
  if (group == groups.end()) group = groups.insert(groups.end(), {what, {}});
  group->ranks.push_back(rank);
}

/// Returns "0-31, 64-95, ...": at most four ranges.
static std::string ranges(const std::vector<int>& ranks) {
  constexpr int kMaxRanges = 4;
  std::string text;
  int shown = 0;
  for (std::size_t first = 0; first < ranks.size();) {
    if (shown++ == kMaxRanges) return text + ", ...";
    std::size_t last = first;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (first > 0) text += ", ";
    text += std::to_string(ranks[first]);
    if (last > first) text += "-" + std::to_string(ranks[last]);
    first = last + 1;
  }
  return text;
}

/// Returns "waits at" for "wait at".
static std::string forOne(const std::string& what) {
  return what.starts_with("wait ") ? "waits" + what.substr(4) : what;
}

std::string list(const std::vector<RankGroup>& groups) {
  std::string text;
  for (const RankGroup& group : groups)
    text += "  " + std::to_string(group.ranks.size()) +
            (group.ranks.size() == 1 ? " thread (" : " threads (") + ranges(group.ranks) + ") " +
            (group.ranks.size() == 1 ? forOne(group.what) : group.what) + "\n";
  return text;
}

}  // namespace nbody::executor
