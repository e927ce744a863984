#include "executor/checker/report.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

#include "executor/checker/checker.hpp"
#include "executor/checker/report_text.hpp"
#include "executor/checker/running.hpp"
#include "executor/checker/source.hpp"

namespace nbody::executor::checker {

namespace {

/// Findings of unwritten memory by operations that may have run too early.
std::vector<Finding>& held() {
  static auto& theHeld = *new std::vector<Finding>;
  return theHeld;
}

std::mutex notesMutex;
std::vector<std::string>& notes() {
  static auto& theNotes = *new std::vector<std::string>;
  return theNotes;
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

/// "f.cu", 12 of "f.cu:12 (inlined at line 20)"; line 0 where there is none.
std::pair<std::string, int> splitLine(const std::string& text) {
  const std::size_t end = text.find(" ("), colon = text.rfind(':', end);
  if (colon == std::string::npos) return {text, 0};
  return {text.substr(0, colon), std::atoi(text.c_str() + colon + 1)};
}

/// Whether two findings are one mistake in an array of structures: the same of its array, in lines as
/// close to each other as those of a structure's fields.
bool areNeighbours(const Finding& one, const Finding& other, const Lines& lines) {
  constexpr int kNear = 8;
  if (one.bug != other.bug || one.bug == Bug::wrongLane || one.memory != other.memory ||
      one.apart != other.apart || one.later.operation != other.later.operation ||
      one.array != other.array || one.later.writes != other.later.writes ||
      one.earlier.writes != other.earlier.writes || one.isNote != other.isNote)
    return false;
  const auto distance = [&](const Side& a, const Side& b) {
    const auto [file, line] = splitLine(lineOf(one, a, lines));
    const auto [otherFile, otherLine] = splitLine(lineOf(other, b, lines));
    return file == otherFile && line != 0 && otherLine != 0 ? otherLine - line : kNear + 1;
  };
  const int later = distance(one.later, other.later);
  const int earlier = one.hasTwoSides() ? distance(one.earlier, other.earlier) : later;
  const bool isAlike = earlier == later || earlier == 0 || later == 0;
  return isAlike && std::abs(earlier) <= kNear && std::abs(later) <= kNear;
}

/// Joins findings at the same lines, and leaves out what is explained.
std::vector<Finding> joined(const std::vector<Finding>& findings, const Lines& lines) {
  std::map<std::tuple<Bug, std::string, std::string>, std::size_t> numbers;
  std::vector<Finding> kept;
  for (const Finding& f : findings) {
    if (isExplained(f, findings, lines)) continue;
    const std::string later = lineOf(f, f.later, lines);
    const std::string earlier = f.hasTwoSides() ? lineOf(f, f.earlier, lines) : later;
    auto [position, isNew] = numbers.try_emplace(
        {f.bug, std::min(earlier, later), std::max(earlier, later)}, kept.size());
    if (isNew) {
      const auto same = std::find_if(kept.begin(), kept.end(), [&](const Finding& other) {
        return areNeighbours(other, f, lines);
      });
      if (same == kept.end()) {
        kept.push_back(f);
        continue;
      }
      position->second = same - kept.begin();
      int line = splitLine(later).second;
      const int shown = splitLine(lineOf(*same, same->later, lines)).second;
      if (line == shown) line = splitLine(earlier).second;
      const std::uint64_t count = same->count + f.count;
      if (!f.hasTwoSides() && line < shown) {  // the first line is shown
        std::vector<int> more = std::move(same->moreLines);
        *same = f;
        same->moreLines = std::move(more);
        line = shown;
      }
      same->moreLines.push_back(line);
      same->count = count;
      continue;
    }
    Finding& same = kept[position->second];
    const std::uint64_t count = same.count + f.count;
    const bool isNote = same.isNote && f.isNote;
    const std::vector<int> moreLines = same.moreLines;
    if (f.apart > same.apart) same = f;  // as in recordRace()
    same.count = count;
    same.moreLines = moreLines;
    same.isNote = isNote;
  }
  return kept;
}

}  // namespace

static Lines linesOf(const std::vector<Finding>& findings) {
  std::set<std::uint32_t> codes;
  for (const Finding& finding : findings) {
    if (finding.where.empty()) codes.insert(finding.later.code);
    if (finding.hasTwoSides()) codes.insert(finding.earlier.code);
  }
  codes.erase(0);
  return sourceLines(codes);
}

static std::vector<std::string> textsOf(const std::vector<Finding>& findings, const Lines& lines) {
  std::vector<std::string> texts;
  for (const Finding& finding : joined(findings, lines))
    (finding.isNote ? notes() : texts).push_back(textOf(finding, lines));
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

void addNote(const std::string& text) {
  const Pause pause;
  const std::lock_guard lock(notesMutex);
  if (notes().size() < 1000)
    notes().push_back(text);  // the same ones are told apart when they are printed
}
std::vector<std::string> takeNotes() {
  const std::lock_guard lock(notesMutex);
  return std::exchange(notes(), {});
}

std::string joined(const std::vector<std::string>& texts) {
  constexpr std::size_t kMost = 8;  // the others are only counted
  std::string all;
  for (std::size_t i = 0; i < texts.size() && i < kMost; ++i) all += texts[i] + "\n";
  if (texts.size() > kMost)
    all += "executor: " + std::to_string(texts.size() - kMost) + " more reports are not shown\n";
  return all;
}

}  // namespace nbody::executor::checker
