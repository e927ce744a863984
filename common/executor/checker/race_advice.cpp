// Advice about a race, from the kinds and places of its two accesses.
#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include "executor/checker/report.hpp"

namespace nbody::executor::checker {

namespace {

/// Returns whether both sides write without an atomic.
bool bothWrite(const Finding& finding) {
  return finding.earlier.writes && !finding.earlier.atomic && finding.later.writes &&
         !finding.later.atomic;
}

/// Advises about threads of two blocks of a launch that cannot wait for the grid.
std::string adviceOnBlocks(const Finding& finding) {
  const bool oneAtomic = finding.earlier.atomic != finding.later.atomic;
  if (finding.earlier.ofBlockScope || finding.later.ofBlockScope)
    return "A block-wide atomic (_block, thread_scope_block) is atomic only between threads of the "
           "same block. Use a device-wide atomic here, for example atomicAdd().";
  if (bothWrite(finding))
    return "Two blocks write this element. If it belongs to one thread, its index is blockIdx.x * "
           "blockDim.x + threadIdx.x. If all threads add to it, use an atomic.";
  return oneAtomic
             ? "The blocks of a launch run in no fixed order. Make both accesses atomic, or move "
               "one of them to another launch."
             : "The blocks of a launch run in no fixed order. Use an atomic, or move one of the "
               "two "
               "accesses to another launch.";
}

/// Advises about two accesses at one line.
std::string adviceOnOneLine(const Finding& finding, const std::string& barrier) {
  return std::string("Two threads ") + (bothWrite(finding) ? "write" : "use") +
         " this element. If it belongs to one thread, check the index. If all threads add to it, "
         "use an atomic. If they use it in different iterations, a " +
         barrier + " is missing between the iterations.";
}

/// Returns the lines of two accesses in one function that contains both, perhaps inlined; nothing
/// if there is none, or if they are in the same line.
std::optional<std::pair<Frame, Frame>> linesOfOneFunction(const Side& one, const Side& other,
                                                          const Lines& lines) {
  const auto first = lines.find(one.code), second = lines.find(other.code);
  if (first == lines.end() || second == lines.end()) return {};
  const auto &ours = first->second.frames, &theirs = second->second.frames;
  // Without std::views::reverse, because clang++ 14 cannot compile g++ 12's.
  for (auto a = ours.rbegin(); a != ours.rend(); ++a)
    for (auto b = theirs.rbegin(); b != theirs.rend(); ++b)
      if (a->function == b->function && a->file == b->file && a->line != b->line)
        return std::pair(*a, *b);
  return {};
}

/// Barriers in the source between two lines.
struct Barriers {
  bool any = false;
  bool always = false;  ///< one has the same indentation as the lines or less, so it runs as often
  std::string narrow;  ///< what another barrier does not do, because it orders fewer threads
};

std::size_t depthOf(const Frame& frame) {
  return sourceText(frame.file, frame.line).find_first_not_of(" \t");
}

/// Returns what a barrier between threads that are so far apart does not do, if it orders fewer of
/// them; otherwise empty text.
std::string whyNarrow(BarrierText barrier, const std::string& text, Apart apart) {
  if (barrier == BarrierText::ofWarp && apart != Apart::lanes)
    return "the __syncwarp() there orders the lanes of one warp only.";
  if (apart == Apart::blocks && text.find("__syncthreads") != std::string::npos)
    return "the __syncthreads() there orders the threads of one block only.";
  return "";
}

Barriers barriersBetween(const Frame& first, const Frame& last, Apart apart) {
  Barriers found;
  const std::size_t depth = std::min(depthOf(first), depthOf(last));
  for (int line = first.line + 1; line < last.line; ++line) {
    const BarrierText barrier = barrierAt(first.file, line);
    if (barrier == BarrierText::none) continue;
    const std::string narrow = whyNarrow(barrier, sourceText(first.file, line), apart);
    if (!narrow.empty()) {
      found.narrow = narrow;
      continue;
    }
    found.any = true;
    const bool isAlone = barrier != BarrierText::inStatement;
    if (isAlone && depthOf({first.file, line}) <= depth) found.always = true;
  }
  return found;
}

/// Returns whether the source has a loop around two lines of a function.
bool isInLoop(const Frame& first) {
  constexpr int kMostLines = 300;
  std::size_t depth = depthOf(first);
  for (int line = first.line; line > 0 && line > first.line - kMostLines && depth > 0; --line) {
    const std::string text = sourceText(first.file, line);
    const std::size_t own = text.find_first_not_of(" \t");
    if (own == std::string::npos || (own >= depth && line != first.line)) continue;
    depth = own;
    for (const char* word : {"for", "while", "do"}) {
      const std::size_t end = own + std::string_view(word).size();
      if (text.compare(own, end - own, word) == 0 &&
          (end == text.size() || !std::isalnum(text[end])))
        return true;
    }
  }
  return false;
}

std::string nameOf(const Side& side) {
  return (side.atomic ? "the atomic" : side.writes ? "the write" : "the read");
}

/// Says between which of two lines of a block's threads a barrier is missing. If one is between
/// them, the way from the second line to the first one of the next iteration has none.
std::string adviceOnTwoLines(const Finding& finding, const std::string& barrier,
                             const Lines& lines) {
  const auto places = linesOfOneFunction(finding.earlier, finding.later, lines);
  if (!places) return "A " + barrier + " is missing between the two accesses.";
  const bool isInOrder = places->first.line < places->second.line;
  const auto& [first, last] = isInOrder ? *places : std::pair(places->second, places->first);
  const Side& firstSide = isInOrder ? finding.earlier : finding.later;
  const Side& lastSide = isInOrder ? finding.later : finding.earlier;
  const Barriers between = barriersBetween(first, last, finding.apart);
  if (between.always && isInLoop(first))
    return "A " + barrier + " is missing after " + nameOf(lastSide) + " at line " +
           std::to_string(last.line) + " and before " + nameOf(firstSide) + " at line " +
           std::to_string(first.line) + " of the next iteration.";
  if (between.any)
    return "The barrier between these two lines does not order the two threads. Check that both "
           "reach it every time. If they do, a " +
           barrier + " is missing there.";
  const std::string why = finding.apart == Apart::lanes
                              ? "the lanes of a warp are not guaranteed to run in lockstep."
                              : between.narrow;
  return "A " + barrier + " is missing between these two lines" + (why.empty() ? "." : ": " + why);
}

/// Returns whether a barrier of the grid may be what two accesses by threads of two blocks lack.
bool canWaitForGrid(const Finding& finding, bool isOneLine) {
  const OperationInfo* const launch = finding.later.operation.get();
  return launch != nullptr && launch->isCooperative && !finding.earlier.ofBlockScope &&
         !finding.later.ofBlockScope && !(isOneLine && bothWrite(finding));
}

/// Returns the barrier that orders the two threads. In a block of one warp it is that of the block,
/// because the kernel should also be correct in larger blocks.
std::string barrierOf(const Finding& finding) {
  if (finding.apart == Apart::blocks) return "grid.sync()";
  const OperationInfo* const launch = finding.later.operation.get();
  const bool isOneWarp =
      launch == nullptr ||
      std::uint64_t{launch->threads.x} * launch->threads.y * launch->threads.z <= kLanes;
  return finding.apart == Apart::lanes && !isOneWarp ? "__syncwarp()" : "__syncthreads()";
}

}  // namespace

void shareBarriers(std::vector<Finding>& findings, const Lines& lines) {
  const auto placesOf = [&](const Finding& f) {
    auto places = f.bug == Bug::race ? linesOfOneFunction(f.earlier, f.later, lines) : std::nullopt;
    if (places && places->first.line > places->second.line)
      std::swap(places->first, places->second);
    return places;
  };
  for (const Finding& wide : findings) {
    const auto around = placesOf(wide);
    if (!around || wide.apart != Apart::warps) continue;
    for (Finding& f : findings) {
      const auto own = placesOf(f);
      if (own && f.apart == Apart::lanes && own->first.function == around->first.function &&
          own->first.file == around->first.file && own->first.line < around->second.line &&
          around->first.line < own->second.line)
        f.apart = Apart::warps;
    }
  }
}

std::string raceAdvice(const Finding& finding, const Lines& lines) {
  if (finding.apart == Apart::operations)
    return "Nothing fixes the order of these two operations. Put both into one stream, or record "
           "an event after the first and let the second stream wait for it.";
  const bool isOneLine =
      lineOf(finding, finding.earlier, lines) == lineOf(finding, finding.later, lines);
  if (finding.apart == Apart::blocks && !canWaitForGrid(finding, isOneLine))
    return adviceOnBlocks(finding);
  const std::string barrier = barrierOf(finding);
  return isOneLine ? adviceOnOneLine(finding, barrier) : adviceOnTwoLines(finding, barrier, lines);
}

}  // namespace nbody::executor::checker
