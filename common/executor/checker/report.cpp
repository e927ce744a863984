#include "executor/checker/report.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

#include "executor/checker/checker.hpp"
#include "executor/checker/locate.hpp"
#include "executor/checker/running.hpp"
#include "executor/checker/source.hpp"
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

/// Returns "by thread (1,0,0) of block (0,0,0) at ".
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

/// Returns " in the kernel launched at f.cu:12"; empty if the side is of no launch.
std::string launchText(const Side& side) {
  if (side.operation == nullptr || !side.operation->isLaunch) return "";
  const Operation& launch = side.operation->operation;
  return " in the kernel launched at " + place(launch.file.c_str(), launch.line);
}

std::string sideText(const Finding& finding, const Side& side, const Lines& lines) {
  std::string text = side.writes ? "  write " : "  read ";
  if (!finding.where.empty() && finding.bug != Bug::unwritten) text = "  access ";
  if (finding.bug == Bug::noReturn) text = "  reached ";
  if (finding.accessBytes > 0) text += "of " + std::to_string(finding.accessBytes) + " bytes ";
  if (side.atomic) text = "  atomic ";
  if (finding.bug == Bug::notAwaited && &side == &finding.earlier) text = "  asynchronous copy ";
  text += whoAndWhere(side) + lineOf(finding, side, lines);
  const std::string launch = finding.apart == Apart::operations ? launchText(side) : "";
  return text + (launch.empty() ? "" : ",") + launch + "\n";
}

std::string advice(const Finding& finding, const Lines& lines) {
  if (finding.isNote && finding.isFlag)
    return "C++ calls this a race. A GPU reads and writes a volatile number as a whole, and the "
           "fences on both sides order other memory. cuda::atomic_ref says so in C++.";
  if (finding.isNote && finding.bug == Bug::race)
    return "C++ calls this a race, but a GPU reads the old value or the new one as a whole. This "
           "is harmless if the kernel is correct with either, as in the first guess of a "
           "compare-and-swap loop, or in a search that marks each element only once.";
  if (finding.isNote) return "The value is undefined, but no result depends on it.";
  if (finding.bug == Bug::notAwaited)
    return "The copy may not have ended yet. Wait for it before this line, for example with "
           "cooperative_groups::wait() or __pipeline_wait_prior(0), and then let all threads that "
           "use the memory meet at a __syncthreads().";
  if (finding.bug == Bug::misaligned)
    return finding.rule +
           " Let the pointer begin at such a multiple, or read and write the values one by one.";
  if (finding.bug == Bug::hostCode)
    return "On a GPU the host's functions have other addresses. Create the object in a kernel, or "
           "get the function's address from a __device__ variable with cudaMemcpyFromSymbol().";
  if (finding.bug == Bug::constant)
    return "A kernel can only read a __constant__ variable. Let the host set it with "
           "cudaMemcpyToSymbol(), or declare it __device__.";
  if (finding.bug == Bug::race) return raceAdvice(finding, lines);
  if (finding.bug == Bug::outside && finding.what == std::string("host memory: ") + kUnknownOrigin)
    return "Give the kernel device memory, for example from cudaMalloc(). A kernel may also use "
           "what it gets from new or malloc() itself, but not beyond its end.";
  if (finding.bug == Bug::outside && finding.what == kLocalOfOther)
    return "On a GPU each thread has its own local memory at this address. Put the value into "
           "shared or global memory.";
  if (finding.bug == Bug::outside && finding.what.find(kHostVariable) != std::string::npos)
    return "Declare the variable __device__ or __managed__, or copy it to device memory and give "
           "the "
           "kernel the copy.";
  if (finding.bug == Bug::outside)
    return finding.memory == "all arrays"
               ? "Give the kernel device memory, for example from cudaMalloc(), and keep the index "
                 "within its bounds."
               : "Compare the index with the size before this line, and let a thread without an "
                 "element skip the line: if (i < n). Make the array larger only if the kernel "
                 "needs this element.";
  if (finding.bug == Bug::noReturn)
    return "The result is undefined. Return a value on every path through the function.";
  if (finding.bug == Bug::wrongLane)
    return "The value is undefined, and the kernel then writes a result that may depend on it. Let "
           "every lane of the mask take part, or use only values of lanes that take part.";
  if (finding.space == Space::local)
    return "No statement has given it a value before this line uses it, and a result depends on "
           "it. "
           "Give it a first value where it is declared, or on every path to this line.";
  const OperationInfo* const operation = finding.later.operation.get();
  if (operation != nullptr && !operation->isLaunch)
    return "No kernel has written this element. Check the index and the guard of the thread that "
           "should have written it.";
  if (finding.space == Space::global && operation != nullptr && operation->operation.isEarly)
    return "Nothing that comes before this kernel has written this element. If work in another "
           "stream writes it, put both into one stream, or record an event after the first and let "
           "the second stream wait for it. Otherwise write it first: with a copy, with "
           "cudaMemset() or in a kernel.";
  return finding.space == Space::shared
             ? "No thread of this block has written this element yet. Let the threads write every "
               "element before a thread reads it."
             : "Neither the host nor a kernel has written this element yet. Write it first: with "
               "a copy, with cudaMemset() or in a kernel.";
}

std::string headline(const Finding& finding) {
  const std::string begin = finding.isNote ? "executor: note: " : "executor: ";
  if (finding.bug == Bug::noReturn)
    return begin + "no return: " + finding.what + " ends without a return\n";
  if (finding.bug == Bug::wrongLane) return begin + "wrong lane: " + finding.what + "\n";
  if (finding.bug == Bug::hostCode)
    return begin + "host code: a kernel reads the address of " + finding.what +
           ", which the host has written\n";
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

/// Returns "369 pairs of accesses".
std::string numberOf(const Finding& finding) {
  if (finding.goesOn) return "first";
  if (finding.count == 1) return "once";
  const bool isPair = finding.bug == Bug::race;
  const bool isAccess = finding.bug == Bug::unwritten || finding.bug == Bug::constant;
  return std::to_string(finding.count) + (isPair                 ? " pairs of accesses"
                                          : !isAccess            ? " times"
                                          : finding.later.writes ? " writes"
                                                                 : " reads");
}

/// Returns "(once in the kernel launched at f.cu:12)".
std::string countText(const Finding& finding) {
  const std::string launch = finding.apart == Apart::operations ? "" : launchText(finding.later);
  const bool isStopped = (finding.bug == Bug::outside && !finding.goesOn) ||
                         finding.bug == Bug::misaligned || finding.bug == Bug::hostCode ||
                         finding.bug == Bug::noReturn;
  return "  (" + numberOf(finding) + launch + (isStopped ? ", which was stopped there)" : ")");
}

/// Returns "  and at lines 13 and 14".
std::string moreLinesText(const Finding& finding) {
  std::set<int> lines(finding.moreLines.begin(), finding.moreLines.end());
  if (lines.empty()) return "";
  std::string text = lines.size() == 1 ? "  and at line " : "  and at lines ";
  const int last = *lines.rbegin();
  for (const int line : lines)
    text += (line == *lines.begin() ? "" : line == last ? " and " : ", ") + std::to_string(line);
  return text + "\n";
}

/// Returns the report, which begins with "executor: ".
std::string textOf(const Finding& finding, const Lines& lines) {
  std::string text = headline(finding);
  if (finding.hasTwoSides()) text += sideText(finding, finding.earlier, lines);
  if (finding.bug != Bug::wrongLane) text += sideText(finding, finding.later, lines);
  return text + moreLinesText(finding) + "  " + advice(finding, lines) + "\n" + countText(finding);
}

/// Returns findings of unwritten memory by operations that may have run too early.
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

/// Returns whether a race at the same line in \p findings explains \p f, an unwritten read.
bool isExplained(const Finding& f, const std::vector<Finding>& findings, const Lines& lines) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& race) {
    return f.bug == Bug::unwritten && race.bug == Bug::race && race.space == f.space &&
           !f.isNeverWritten &&
           (lineOf(race, race.earlier, lines) == lineOf(f, f.later, lines) ||
            lineOf(race, race.later, lines) == lineOf(f, f.later, lines));
  });
}

/// Returns "f.cu" and 12 for "f.cu:12 (inlined at line 20)"; line 0 if there is none.
std::pair<std::string, int> splitLine(const std::string& text) {
  const std::size_t end = text.find(" ("), colon = text.rfind(':', end);
  if (colon == std::string::npos) return {text, 0};
  return {text.substr(0, colon), std::atoi(text.c_str() + colon + 1)};
}

/// Returns whether two findings are one mistake in an array of structures: of the same kind and
/// array, in lines as close as those of a structure's fields. It is chance which side of a race came
/// first.
bool areNeighbours(const Finding& one, Finding other, const Lines& lines) {
  constexpr int kNear = 8;
  if (one.hasTwoSides() && one.later.writes != other.later.writes)
    std::swap(other.earlier, other.later);
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

/// Adds \p more to \p sum. The place that is shown is then that of \p more if \p isShown.
void add(Finding& sum, const Finding& more, bool isShown) {
  Finding both = isShown ? more : sum;
  both.count = sum.count + more.count;
  both.isNote = sum.isNote && more.isNote;
  both.isNeverWritten = sum.isNeverWritten || more.isNeverWritten;
  both.moreLines = std::move(sum.moreLines);
  sum = std::move(both);
}

/// Joins findings at the same lines, and leaves out explained ones.
std::vector<Finding> joined(std::vector<Finding> findings, const Lines& lines) {
  shareBarriers(findings, lines);
  std::map<std::tuple<Bug, std::string, std::string>, std::size_t> numbers;
  std::vector<Finding> kept;
  for (const Finding& f : findings) {
    if (isExplained(f, findings, lines)) continue;
    const std::string later = lineOf(f, f.later, lines);
    const std::string earlier = f.hasTwoSides() ? lineOf(f, f.earlier, lines) : later;
    const std::string& ends = f.space == Space::local ? f.array : std::max(earlier, later);
    auto [position, isNew] =
        numbers.try_emplace({f.bug, std::min(earlier, later), ends}, kept.size());
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
      const bool isFirst = !f.hasTwoSides() && line < shown;  // the first line is shown
      add(*same, f, isFirst);
      same->moreLines.push_back(isFirst ? shown : line);
      continue;
    }
    Finding& same = kept[position->second];
    add(same, f, f.apart > same.apart);  // see recordRace()
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
    if (!finding.isNote || finding.space != Space::local)
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
    notes().push_back(text);  // duplicates are removed when they are printed
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
