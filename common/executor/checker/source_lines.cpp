#include "executor/checker/source.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <vector>

#include "base/text.hpp"
#include "executor/checker/program.hpp"
#include "executor/messages.hpp"

namespace nbody::executor::checker {

namespace {

/// Everything \p command prints; empty where it cannot be run.
std::string outputOf(const std::string& command) {
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  if (!pipe) return text;
  char part[4096];
  while (std::size_t length = std::fread(part, 1, sizeof part, pipe.get()))
    text.append(part, length);
  return text;
}

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string hexadecimal(std::uint64_t number) {
  return formatted("0x%llx", static_cast<unsigned long long>(number));
}

/// Whether a line is the kernel's author's, not the executor's (atomics) or the compiler's.
bool isOfKernel(const Frame& frame) {
  return frame.line > 0 && frame.file.find("/common/executor/") == std::string::npos &&
         frame.file.rfind("/usr/", 0) != 0;
}

/// A kernel's body is a closure that stub<>() runs; that has the one name or the other.
std::string nameInFrame(const std::string& function) {
  const bool isKernel = function == "operator()" || function.find("4stub") != std::string::npos;
  return isKernel ? "" : function.substr(0, function.find('.'));
}

/// The frames of one address, innermost first: pairs of lines, a function and "file:line (...)". In a
/// function of a library that the kernel calls it is that library's line.
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

/// "forcesKernel (install binutils to see the line)"
std::string functionAt(std::uint64_t code) {
  for (const Symbol& function : program().functions) {
    if (code < function.offset || code >= function.offset + function.bytes) continue;
    std::string name = demangled(function.mangled);
    // A translated kernel's body is a closure that stub<kernel()::closure> runs.
    if (const std::size_t stub = name.find("stub<"); stub != std::string::npos)
      name.erase(0, stub + 5);
    return name.substr(0, name.find('(', 1)) + " (install binutils to see the line)";
  }
  return "address " + hexadecimal(code) + " of the program";
}

/// The frames of each of \p codes that has any.
std::map<std::uint32_t, std::vector<Frame>> framesOf(const std::set<std::uint32_t>& codes) {
  std::map<std::uint32_t, std::vector<Frame>> all;
  std::string command = "addr2line -a -f -i -e " + quoted(program().path);
  // One back: an access's address is that of the instruction after its call.
  for (std::uint32_t code : codes) command += " " + hexadecimal(code - 1u);
  std::istringstream output(codes.empty() ? "" : outputOf(command + " 2>/dev/null"));
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

}  // namespace nbody::executor::checker
