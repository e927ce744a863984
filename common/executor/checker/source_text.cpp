#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <vector>

#include "executor/checker/program.hpp"
#include "executor/checker/source.hpp"

namespace nbody::executor::checker {

namespace {

std::vector<std::string> readLines(const std::string& file) {
  std::vector<std::string> lines;
  std::ifstream stream(file);
  // A relative path counts from the folder of the build, above the program.
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

/// Position at which the indices that end at \p end begin: "[i][j]" of "a[i][j]".
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

/// Text of the first group of \p form; empty if \p text does not match.
std::string found(const std::string& text, const std::regex& form) {
  std::smatch match;
  return std::regex_search(text, match, form) ? match[1].str() : "";
}

/// The name that has an index in \p text; empty where several have.
std::string onlyIndexed(const std::string& text) {
  static const std::regex form(R"((\w+)\s*\[)");
  std::string name;
  for (std::sregex_iterator next(text.begin(), text.end(), form), end; next != end; ++next) {
    if (!name.empty() && name != (*next)[1].str()) return "";
    name = (*next)[1].str();
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
  static const std::regex any(R"(\b__sync(threads|warp)|\bsync\s*\()");
  static const std::regex ofBlock(R"(^\s*(__syncthreads\s*\(|[\w.:]*\bsync\s*\())");
  static const std::regex ofWarp(R"(^\s*__syncwarp\s*\(\s*(0x[fF]{8}[uU]?)?\s*\))");
  const std::string whole = sourceText(file, line);
  const std::string text = whole.substr(0, whole.find("//"));
  if (!std::regex_search(text, any)) return BarrierText::none;
  if (std::regex_search(text, ofBlock)) return BarrierText::ofBlock;
  return std::regex_search(text, ofWarp) ? BarrierText::ofWarp : BarrierText::inStatement;
}

std::string nameOfDynamicShared(const std::string& file, int line) {
  static const std::regex form(R"(__shared__\s.*?(\w+)\s*\[\s*\])");
  return found(sourceText(file, line), form);
}

std::string nameBeforeIndex(const std::string& file, int line, int column) {
  const std::string text = sourceText(file, line);
  std::size_t at = column > 0 ? column - 1 : 0;
  // A translator may have put text into the line, which moves the column.
  if (at >= text.size()) return onlyIndexed(text);
  if (text[at] == ']') at = beforeIndices(text, at);  // g++ points at the end
  else at = text.find('[', at);  // clang++ at the start
  static const std::regex form(R"((\w+)\s*$)");
  return found(text.substr(0, at), form);
}

}  // namespace nbody::executor::checker
