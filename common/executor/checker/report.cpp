#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "executor/checker/findings.hpp"
#include "executor/checker/source.hpp"
#include "executor/messages.hpp"

namespace nbody::executor::checker {

namespace {

using Lines = std::map<std::uint32_t, std::string>;

std::string lineOf(const Finding& finding, const Side& side, const Lines& lines) {
  return finding.where.empty() ? lines.at(side.access.code) : finding.where;
}

std::string whoAndWhere(const Access& access, const Grid& grid) {
  const unsigned r = access.thread();
  const unsigned b = access.block - running.firstBlock;
  const dim3 t = grid.threads;
  const dim3 g = grid.blocks;
  return "by thread " + triple({r % t.x, r / t.x % t.y, r / t.x / t.y}) + " of block " +
         triple({b % g.x, b / g.x % g.y, b / g.x / g.y}) + " at ";
}

std::string sideText(const Finding& finding,
                     const Side& side,
                     const Lines& lines,
                     const Grid& grid) {
  std::string text = side.writes ? "  write " : "  read ";
  if (!finding.where.empty()) text = "  access ";
  if (finding.accessBytes > 0) text += "of " + std::to_string(finding.accessBytes) + " bytes ";
  if (side.atomic) text = "  atomic ";
  return text + whoAndWhere(side.access, grid) + lineOf(finding, side, lines) + "\n";
}

std::string raceAdvice(const Finding& finding, bool sameLine) {
  const bool oneAtomic = finding.earlier.atomic != finding.later.atomic;
  if (finding.acrossBlocks)
    return oneAtomic
               ? "Blocks of a launch are never ordered: make both accesses atomic, or leave "
                 "one of them to another launch."
               : "Blocks of a launch are never ordered: use an atomic, or leave one of the two "
                 "accesses to another launch.";
  const std::string barrier =
      finding.acrossWarps ? "__syncthreads()" : "__syncwarp() or __syncthreads()";
  if (sameLine)
    return "A " + barrier + " is missing between two iterations at this line; where all threads " +
           "are to add to one element, use an atomic.";
  return "A " + barrier + " is missing between these two lines" +
         (finding.acrossWarps ? "." : ": the lanes of a warp do not run in step.");
}

std::string advice(const Finding& finding, bool sameLine) {
  if (finding.bug == Bug::race) return raceAdvice(finding, sameLine);
  if (finding.bug == Bug::outside)
    return finding.memory == "all arrays"
               ? "Pass the kernel memory of the device, as cudaMalloc() gives, and keep the index "
                 "in its "
                 "bounds."
               : "Check the index against the size before this line, and the size against what "
                 "the launch asks for.";
  return finding.space == Space::shared
             ? "No thread of this block has written it before: let each iteration fill all "
               "that it reads."
             : "Neither the host nor a kernel has written it before: upload() or clear() it, or "
               "write it first.";
}

std::string headline(const Finding& finding) {
  const char* bug = finding.bug == Bug::race      ? "race on "
                    : finding.bug == Bug::outside ? "out of bounds of "
                                                  : "uninitialised ";
  return std::string("executor: ") + bug + finding.memory + ": " + finding.what +
         (finding.size.empty() ? "" : " " + finding.size) + "\n";
}

std::string textOf(const Finding& finding, const Lines& lines, const Grid& grid) {
  std::string text = headline(finding);
  bool sameLine = false;
  if (finding.bug == Bug::race) {
    text += sideText(finding, finding.earlier, lines, grid);
    sameLine = lineOf(finding, finding.earlier, lines) == lineOf(finding, finding.later, lines);
  }
  text += sideText(finding, finding.later, lines, grid);
  text += "  " + advice(finding, sameLine) + "\n";
  const std::string times = finding.count == 1 ? "once" : std::to_string(finding.count) + " times";
  return text + "  (" + times + " in the kernel launched at " + place(grid.file, grid.line) +
         (finding.bug == Bug::outside ? ", which was stopped there)" : ")");
}

/// Joins findings at the same lines, and leaves out reads of unwritten memory that a race at the
/// same line explains.
std::vector<Finding> joined(const std::vector<Finding>& findings, const Lines& lines) {
  std::map<std::tuple<Bug, std::string, std::string>, std::size_t> numbers;
  std::vector<Finding> kept;
  auto isExplained = [&](const Finding& f) {
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& race) {
      return f.bug == Bug::unwritten && race.bug == Bug::race && race.space == f.space &&
             (lineOf(race, race.earlier, lines) == lineOf(f, f.later, lines) ||
              lineOf(race, race.later, lines) == lineOf(f, f.later, lines));
    });
  };
  for (const Finding& f : findings) {
    if (isExplained(f)) continue;
    const std::string later = lineOf(f, f.later, lines);
    const std::string earlier = f.bug == Bug::race ? lineOf(f, f.earlier, lines) : later;
    auto [position, isNew] = numbers.try_emplace(
        {f.bug, std::min(earlier, later), std::max(earlier, later)}, kept.size());
    if (isNew) {
      kept.push_back(f);
      continue;
    }
    Finding& same = kept[position->second];
    same.count += f.count;
    same.acrossBlocks |= f.acrossBlocks;
    same.acrossWarps |= f.acrossWarps;
  }
  return kept;
}

}  // namespace

std::vector<std::string> describe(std::vector<Finding> findings, const Grid& grid) {
  std::set<std::uint32_t> codes;
  for (const Finding& finding : findings) {
    if (finding.where.empty()) codes.insert(finding.later.access.code);
    if (finding.bug == Bug::race) codes.insert(finding.earlier.access.code);
  }
  const Lines lines = sourceLines(codes);
  std::vector<std::string> texts;
  for (const Finding& finding : joined(findings, lines))
    texts.push_back(textOf(finding, lines, grid));
  return texts;
}

}  // namespace nbody::executor::checker
