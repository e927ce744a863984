#include "executor/checker/report_text.hpp"

#include <set>

#include "executor/checker/locate.hpp"
#include "executor/messages.hpp"

namespace nbody::executor::checker {

std::string lineOf(const Finding& finding, const Side& side, const Lines& lines) {
  if (!finding.where.empty()) return finding.where;
  if (side.code != 0) return lines.at(side.code).text;
  if (side.operation == nullptr) return "an unknown line";
  const Operation& operation = side.operation->operation;
  return place(operation.file.c_str(), operation.line);
}

namespace {

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
  if (finding.bug == Bug::notAwaited && &side == &finding.earlier) text = "  asynchronous copy ";
  text += whoAndWhere(side) + lineOf(finding, side, lines);
  if (finding.apart == Apart::operations && side.operation != nullptr && side.operation->isLaunch) {
    const Operation& launch = side.operation->operation;
    text += ", in the kernel launched at " + place(launch.file.c_str(), launch.line);
  }
  return text + "\n";
}

std::string advice(const Finding& finding, const Lines& lines) {
  if (finding.isNote && finding.bug == Bug::race)
    return "C++ calls this a race, but it is harmless on a GPU. The read is only the first guess "
           "of a compare-and-swap loop, and the loop compares the value again.";
  if (finding.isNote) return "The value is undefined, but no result depends on it.";
  if (finding.bug == Bug::notAwaited)
    return "The copy may not have ended yet. Wait for it before this line, for example with "
           "cooperative_groups::wait() or __pipeline_wait_prior(0), and then let all threads that "
           "use the memory meet at a __syncthreads().";
  if (finding.bug == Bug::misaligned)
    return finding.rule +
           " A GPU ends the kernel with \"misaligned address\". Let the pointer begin at such a "
           "multiple, or read and write the values one by one.";
  if (finding.bug == Bug::constant)
    return "A kernel can only read a __constant__ variable. Let the host set it with "
           "cudaMemcpyToSymbol(), or declare it __device__.";
  if (finding.bug == Bug::race) return raceAdvice(finding, lines);
  if (finding.bug == Bug::outside && finding.what == std::string("host memory: ") + kUnknownOrigin)
    return "Give the kernel device memory, for example from cudaMalloc(). Memory that a kernel "
           "gets from new or malloc() is watched only in programs that ladder-nvcc has built.";
  if (finding.bug == Bug::outside)
    return finding.memory == "all arrays"
               ? "Give the kernel device memory, for example from cudaMalloc(), and keep the index "
                 "within its bounds."
               : "Compare the index with the size before this line. If the index is correct, make "
                 "the array larger.";
  if (finding.bug == Bug::wrongLane)
    return "The value is undefined, and the kernel then writes a result that may depend on it. Let "
           "every lane of the mask take part, or use only values of lanes that take part.";
  const OperationInfo* const operation = finding.later.operation.get();
  if (operation != nullptr && !operation->isLaunch)
    return "No kernel has written this element. Check the index and the guard of the thread that "
           "should have written it.";
  return finding.space == Space::shared
             ? "No thread of this block has written this element yet. Let the threads write every "
               "element before a thread reads it."
             : "Neither the host nor a kernel has written this element yet. Write it first: with "
               "a copy, with cudaMemset() or in a kernel.";
}

std::string headline(const Finding& finding) {
  const std::string begin = finding.isNote ? "executor: note: " : "executor: ";
  if (finding.bug == Bug::wrongLane) return begin + "wrong lane: " + finding.what + "\n";
  if (finding.memory == "all arrays")
    return begin + "out of bounds: a kernel uses " + finding.what + "\n";
  const char* bug = finding.bug == Bug::race         ? "race on "
                    : finding.bug == Bug::notAwaited ? "copy not awaited in "
                    : finding.bug == Bug::outside    ? "out of bounds of "
                    : finding.bug == Bug::misaligned ? "misaligned access to "
                    : finding.bug == Bug::constant   ? "write to "
                                                     : "uninitialised ";
  return begin + bug + finding.memory + ": " + finding.what + finding.size + "\n";
}

/// "(once in the kernel launched at f.cu:12)"
std::string countText(const Finding& finding) {
  std::string text =
      std::string("  (") + (finding.count == 1 ? "once" : std::to_string(finding.count) + " times");
  const OperationInfo* const operation = finding.later.operation.get();
  if (finding.apart != Apart::operations && operation != nullptr && operation->isLaunch)
    text += " in the kernel launched at " +
            place(operation->operation.file.c_str(), operation->operation.line);
  const bool isStopped = finding.bug == Bug::outside || finding.bug == Bug::misaligned;
  return text + (isStopped ? ", which was stopped there)" : ")");
}

/// "  and at lines 13 and 14"
std::string moreLinesText(const Finding& finding) {
  std::set<int> lines(finding.moreLines.begin(), finding.moreLines.end());
  if (lines.empty()) return "";
  std::string text = lines.size() == 1 ? "  and at line " : "  and at lines ";
  const int last = *lines.rbegin();
  for (const int line : lines)
    text += (line == *lines.begin() ? "" : line == last ? " and " : ", ") + std::to_string(line);
  return text + "\n";
}

}  // namespace

std::string textOf(const Finding& finding, const Lines& lines) {
  std::string text = headline(finding);
  if (finding.hasTwoSides()) text += sideText(finding, finding.earlier, lines);
  if (finding.bug != Bug::wrongLane) text += sideText(finding, finding.later, lines);
  return text + moreLinesText(finding) + "  " + advice(finding, lines) + "\n" + countText(finding);
}

}  // namespace nbody::executor::checker
