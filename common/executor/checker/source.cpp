#include "executor/checker/source.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "base/pattern.hpp"
#include "base/text.hpp"
#include "executor/checker/program.hpp"
#include "executor/messages.hpp"

namespace nbody::executor::checker {

namespace {

/// Returns whether a line is the kernel author's, not the executor's (atomics) or the compiler's.
bool isOfKernel(const Frame& frame) {
  return frame.line > 0 && !isOfExecutor(frame.file) && frame.file.rfind("/usr/", 0) != 0;
}

/// Returns a function's name for messages. A kernel's body has its own or that of stub<>().
std::string nameInFrame(const std::string& function) {
  const bool isKernel = function == "operator()" || function.find("4stub") != std::string::npos;
  return isKernel ? "" : function.substr(0, function.find('.'));
}

/// Reads the frames of one address, innermost first: pairs of lines, a function and "file:line
/// (...)". A function of a library has the library's line.
std::vector<Frame> readFrames(std::istream& lines) {
  std::vector<Frame> frames;
  Frame library;
  std::string function, place;
  while (lines.peek() != '0' && std::getline(lines, function) && std::getline(lines, place)) {
    const std::size_t colon = place.rfind(':', place.find(" ("));
    if (colon == std::string::npos) continue;
    const Frame frame = {place.substr(0, colon), std::atoi(place.c_str() + colon + 1),
                         nameInFrame(function)};
    if (isOfKernel(frame)) frames.push_back(frame);
    else if (library.line == 0) library = frame;
  }
  if (frames.empty() && library.line > 0) frames.push_back(library);
  return frames;
}

SourceLine lineOf(const std::vector<Frame>& frames) {
  SourceLine line = {place(frames[0].file.c_str(), frames[0].line), frames};
  if (frames.size() > 1 && frames[1].file == frames[0].file && frames[1].line != frames[0].line)
    line.text += " (inlined at line " + std::to_string(frames[1].line) + ")";
  return line;
}

/// Returns "forcesKernel (install binutils to see the line)".
std::string functionAt(std::uint64_t code) {
  for (const Symbol& function : program().functions) {
    if (code < function.offset || code >= function.offset + function.bytes) continue;
    std::string name = demangled(function.mangled);
    // The body of a translated kernel is a closure that stub<kernel()::closure> runs.
    if (const std::size_t stub = name.find("stub<"); stub != std::string::npos)
      name.erase(0, stub + 5);
    return name.substr(0, name.find('(', 1)) + " (install binutils to see the line)";
  }
  return formatted("address 0x%llx of the program", static_cast<unsigned long long>(code));
}

/// Returns the frames of each of \p codes that has any.
std::map<std::uint32_t, std::vector<Frame>> framesOf(const std::set<std::uint32_t>& codes) {
  std::map<std::uint32_t, std::vector<Frame>> all;
  std::vector<std::uint64_t> offsets;
  // Subtracts 1, because an access's address is that of the instruction after its call.
  for (std::uint32_t code : codes) offsets.push_back(code - 1u);
  std::istringstream output(codes.empty() ? "" : addr2line("-a -f -i", offsets));
  for (std::string address; std::getline(output, address);) {
    std::vector<Frame> frames = readFrames(output);
    const std::uint64_t code = std::strtoull(address.c_str(), nullptr, 16) + 1;
    if (!frames.empty()) all[static_cast<std::uint32_t>(code)] = std::move(frames);
  }
  return all;
}

}  // namespace

Frame sourceFrame(std::uint32_t code) {
  const auto frames = framesOf({code});
  return frames.empty() ? Frame{} : frames.begin()->second[0];
}

std::map<std::uint32_t, SourceLine> sourceLines(const std::set<std::uint32_t>& codes) {
  const auto frames = framesOf(codes);
  std::map<std::uint32_t, SourceLine> lines;
  for (std::uint32_t code : codes) {
    const auto position = frames.find(code);
    lines[code] =
        position == frames.end() ? SourceLine{functionAt(code)} : lineOf(position->second);
  }
  return lines;
}

namespace {

std::vector<std::string> readLines(const std::string& file) {
  std::vector<std::string> lines;
  std::ifstream stream(file);
  // A relative path starts at the folder of the build, above the program.
  for (std::filesystem::path folder = program().path; !stream && folder.has_relative_path();) {
    folder = folder.parent_path();
    stream.open(folder / file);
  }
  for (std::string text; std::getline(stream, text);) lines.push_back(text);
  return lines;
}

const std::vector<std::string>& linesOf(const std::string& file) {
  static std::map<std::string, std::vector<std::string>> files;
  auto [position, isNew] = files.try_emplace(file);
  if (isNew) position->second = readLines(file);
  return position->second;
}

/// Returns the position at which the indices that end at \p end begin: "[i][j]" of "a[i][j]".
std::size_t beforeIndices(const std::string& text, std::size_t end) {
  std::size_t at = end + 1;
  int open = 0;
  while (at > 0 && (open > 0 || text[at - 1] == ']')) {
    --at;
    if (text[at] == ']') ++open;
    if (text[at] == '[') --open;
  }
  return at;
}

/// Returns the name that has an index in \p text; empty if several have one.
std::string onlyIndexed(const std::string& text) {
  static const Pattern form(R"((\w+)\s*\[)");
  std::string name;
  for (const std::string& found : form.allIn(text, 1)) {
    if (!name.empty() && name != found) return "";
    name = found;
  }
  return name;
}

}  // namespace

std::string sourceText(const std::string& file, int line) {
  const std::vector<std::string>& lines = linesOf(file);
  const auto index = static_cast<std::size_t>(line - 1);
  return index < lines.size() ? lines[index] : "";
}

int lineCount(const std::string& file) { return static_cast<int>(linesOf(file).size()); }

BarrierText barrierAt(const std::string& file, int line) {
  static const Pattern any(
      R"(\b__sync(threads|warp)|\bsync\s*\(|\barrive_and_wait\s*\(|[.]wait\s*\()");
  static const Pattern ofBlock(
      R"(^\s*(__syncthreads\s*\(|[[:alnum:]_.:]*([(][)][.])?\bsync\s*\())");
  static const Pattern ofWarp(R"(^\s*__syncwarp\s*\(\s*(0x[fF]{8}[uU]?)?\s*\))");
  const std::string whole = sourceText(file, line);
  const std::string text = whole.substr(0, whole.find("//"));
  if (!any.isIn(text)) return BarrierText::none;
  if (ofBlock.isIn(text)) return BarrierText::ofBlock;
  return ofWarp.isIn(text) ? BarrierText::ofWarp : BarrierText::inStatement;
}

std::string nameOfDynamicShared(const std::string& file, int line) {
  static const Pattern form(R"(__shared__\s([^[]*[^[:alnum:]_[])?(\w+)\s*\[\s*\])");
  const auto groups = form.firstIn(sourceText(file, line));
  return groups.empty() ? "" : groups[2];
}

bool isMemberBeforeIndex(const std::string& file, int line, const std::string& name) {
  const std::string text = sourceText(file, line);
  return text.find("." + name + "[") != std::string::npos ||
         text.find("->" + name + "[") != std::string::npos;
}

std::string nameBeforeIndex(const std::string& file, int line, int column) {
  const std::string text = sourceText(file, line);
  std::size_t at = column > 0 ? column - 1 : 0;
  // A translator may have inserted text into the line, which moves the column.
  if (at >= text.size()) return onlyIndexed(text);
  if (text[at] == ']') at = beforeIndices(text, at);  // g++ points to the end
  else at = text.find('[', at);  // clang++ points to the start
  static const Pattern form(R"((\w+)\s*$)");
  const auto groups = form.firstIn(text.substr(0, at));
  return groups.empty() ? "" : groups[1];
}

}  // namespace nbody::executor::checker
