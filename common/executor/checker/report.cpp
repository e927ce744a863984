#include "executor/checker/report.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "executor/checker/source.hpp"
#include "executor/messages.hpp"

namespace nbody::executor::checker {

namespace {

using Lines = std::map<std::uint32_t, std::string>;

/// Where \p side is in the source.
std::string lineOf(const Finding& finding, const Side& side, const Lines& lines) {
  if (!finding.where.empty()) return finding.where;
  if (side.code != 0) return lines.at(side.code);
  if (side.operation == nullptr) return "an unknown line";
  const Operation& operation = side.operation->operation;
  return place(operation.file.c_str(), operation.line);
}

/// "by thread (1,0,0) of block (0,0,0) at "
std::string whoAndWhere(const Side& side) {
  const OperationInfo* const operation = side.operation.get();
  if (operation == nullptr) return "by thread " + std::to_string(side.thread) + " of a block at ";
  if (!operation->isLaunch) return "by " + operation->operation.what + " at ";
  const auto r = static_cast<unsigned>(side.thread);
  const auto b = static_cast<unsigned>(side.block);
  const dim3 t = operation->threads;
  const dim3 g = operation->blocks;
  return "by thread " + triple({r % t.x, r / t.x % t.y, r / t.x / t.y}) + " of block " +
         triple({b % g.x, b / g.x % g.y, b / g.x / g.y}) + " at ";
}

std::string sideText(const Finding& finding, const Side& side, const Lines& lines) {
  std::string text = side.writes ? "  write " : "  read ";
  if (!finding.where.empty()) text = "  access ";
  if (finding.accessBytes > 0) text += "of " + std::to_string(finding.accessBytes) + " bytes ";
  if (side.atomic) text = "  atomic ";
  text += whoAndWhere(side) + lineOf(finding, side, lines);
  if (finding.acrossOperations && side.operation != nullptr && side.operation->isLaunch) {
    const Operation& launch = side.operation->operation;
    text += ", in the kernel launched at " + place(launch.file.c_str(), launch.line);
  }
  return text + "\n";
}

std::string raceAdvice(const Finding& finding, bool sameLine) {
  const bool oneAtomic = finding.earlier.atomic != finding.later.atomic;
  if (finding.acrossOperations)
    return "Nothing orders the two: put them into one stream, or let the second stream wait for an "
           "event of the first.";
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

/// "(once in the kernel launched at f.cu:12)"
std::string countText(const Finding& finding) {
  std::string text =
      std::string("  (") + (finding.count == 1 ? "once" : std::to_string(finding.count) + " times");
  const OperationInfo* const operation = finding.later.operation.get();
  if (!finding.acrossOperations && operation != nullptr)
    text += " in the kernel launched at " +
            place(operation->operation.file.c_str(), operation->operation.line);
  return text + (finding.bug == Bug::outside ? ", which was stopped there)" : ")");
}

std::string textOf(const Finding& finding, const Lines& lines) {
  std::string text = headline(finding);
  bool sameLine = false;
  if (finding.bug == Bug::race) {
    text += sideText(finding, finding.earlier, lines);
    sameLine = lineOf(finding, finding.earlier, lines) == lineOf(finding, finding.later, lines);
  }
  text += sideText(finding, finding.later, lines);
  return text + "  " + advice(finding, sameLine) + "\n" + countText(finding);
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
    same.acrossOperations |= f.acrossOperations;
    same.acrossBlocks |= f.acrossBlocks;
    same.acrossWarps |= f.acrossWarps;
  }
  return kept;
}

}  // namespace

std::vector<std::string> describe(std::vector<Finding> findings) {
  std::set<std::uint32_t> codes;
  for (const Finding& finding : findings) {
    if (finding.where.empty()) codes.insert(finding.later.code);
    if (finding.bug == Bug::race) codes.insert(finding.earlier.code);
  }
  codes.erase(0);
  const Lines lines = sourceLines(codes);
  std::vector<std::string> texts;
  for (const Finding& finding : joined(findings, lines)) texts.push_back(textOf(finding, lines));
  return texts;
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
