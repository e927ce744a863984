/// \file
/// Regular expressions of the C library. Each file with `<regex>` would take five seconds longer to compile.
#pragma once

#include <regex.h>
#include <string>
#include <vector>

namespace nbody {

/// A pattern in POSIX's extended syntax, with GNU's \\w, \\s, \\b and \\<. The longest of the first matches counts, so there are
/// no lazy quantifiers. All groups have numbers.
class Pattern {
 public:
  explicit Pattern(const std::string& text) { regcomp(&form_, text.c_str(), REG_EXTENDED); }
  ~Pattern() { regfree(&form_); }
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  /// Returns whether \p text has a match.
  bool isIn(const std::string& text) const {
    return regexec(&form_, text.c_str(), 0, nullptr, 0) == 0;
  }

  /// Returns the groups of the first match, the whole match first; nothing if there is none.
  std::vector<std::string> firstIn(const std::string& text) const {
    std::size_t from = 0;
    return next(text, from);
  }

  /// Returns group number \p group of each match.
  std::vector<std::string> allIn(const std::string& text, int group) const {
    std::vector<std::string> found;
    std::size_t from = 0;
    for (auto groups = next(text, from); !groups.empty(); groups = next(text, from))
      found.push_back(groups[group]);
    return found;
  }

 private:
  std::vector<std::string> next(const std::string& text, std::size_t& from) const {
    std::vector<regmatch_t> matches(form_.re_nsub + 1);
    if (from > text.size()) return {};
    if (regexec(&form_, text.c_str() + from, matches.size(), matches.data(), 0) != 0) return {};
    std::vector<std::string> groups;
    for (const regmatch_t& match : matches)
      groups.push_back(
          match.rm_so < 0 ? "" : text.substr(from + match.rm_so, match.rm_eo - match.rm_so));
    from += matches[0].rm_eo > 0 ? matches[0].rm_eo : 1;
    return groups;
  }

  regex_t form_;
};

}  // namespace nbody
