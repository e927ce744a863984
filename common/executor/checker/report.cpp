#include "executor/checker/report.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "executor/checker/checker.hpp"
#include "executor/checker/report_text.hpp"
#include "executor/checker/source.hpp"

namespace nbody::executor::checker {

namespace {

/// Of unwritten memory, found by operations that may have run too early.
std::vector<Finding>& held() {
  static auto& theHeld = *new std::vector<Finding>;
  return theHeld;
}

bool isEarly(const Finding& f) {
  return f.bug == Bug::unwritten && f.space == Space::global && f.later.operation != nullptr &&
         f.later.operation->operation.isEarly;
}

/// Whether \p f is a read of unwritten memory that one of \p findings, a race at the same line,
/// explains.
bool isExplained(const Finding& f, const std::vector<Finding>& findings, const Lines& lines) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& race) {
    return f.bug == Bug::unwritten && race.bug == Bug::race && race.space == f.space &&
           (lineOf(race, race.earlier, lines) == lineOf(f, f.later, lines) ||
            lineOf(race, race.later, lines) == lineOf(f, f.later, lines));
  });
}

/// Joins findings at the same lines, and leaves out what is explained.
std::vector<Finding> joined(const std::vector<Finding>& findings, const Lines& lines) {
  std::map<std::tuple<Bug, std::string, std::string>, std::size_t> numbers;
  std::vector<Finding> kept;
  for (const Finding& f : findings) {
    if (isExplained(f, findings, lines)) continue;
    const std::string later = lineOf(f, f.later, lines);
    const std::string earlier = f.bug == Bug::race ? lineOf(f, f.earlier, lines) : later;
    auto [position, isNew] = numbers.try_emplace(
        {f.bug, std::min(earlier, later), std::max(earlier, later)}, kept.size());
    if (isNew) {
      kept.push_back(f);
      continue;
    }
    Finding& same = kept[position->second];
    const std::uint64_t count = same.count + f.count;
    if (f.apart > same.apart) same = f;  // as in recordRace()
    same.count = count;
  }
  return kept;
}

}  // namespace

static Lines linesOf(const std::vector<Finding>& findings) {
  std::set<std::uint32_t> codes;
  for (const Finding& finding : findings) {
    if (finding.where.empty()) codes.insert(finding.later.code);
    if (finding.bug == Bug::race) codes.insert(finding.earlier.code);
  }
  codes.erase(0);
  return sourceLines(codes);
}

static std::vector<std::string> textsOf(const std::vector<Finding>& findings, const Lines& lines) {
  std::vector<std::string> texts;
  for (const Finding& finding : joined(findings, lines)) texts.push_back(textOf(finding, lines));
  return texts;
}

std::vector<std::string> describe(std::vector<Finding> findings) {
  if (findings.empty()) return {};
  std::vector<Finding> all = findings;
  all.insert(all.end(), held().begin(), held().end());
  const Lines lines = linesOf(all);
  std::erase_if(held(), [&](const Finding& f) { return isExplained(f, findings, lines); });
  for (const Finding& f : findings)
    if (isEarly(f) && !isExplained(f, findings, lines)) held().push_back(f);
  std::erase_if(findings, isEarly);
  return textsOf(findings, lines);
}

std::string heldReports() {
  const std::vector<Finding> findings = std::exchange(held(), {});
  return joined(textsOf(findings, linesOf(findings)));
}

std::string joined(const std::vector<std::string>& texts) {
  constexpr std::size_t kMost = 8;  // the others are only counted
  std::string all;
  for (std::size_t i = 0; i < texts.size() && i < kMost; ++i) all += texts[i] + "\n";
  if (texts.size() > kMost)
    all += "executor: " + std::to_string(texts.size() - kMost) + " more reports left out\n";
  return all;
}

}  // namespace nbody::executor::checker
