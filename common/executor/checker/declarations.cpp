// Reads elements of an array from its declaration: "float tile[TILE][TILE + 1];".
#include <cctype>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "base/pattern.hpp"
#include "executor/checker/source.hpp"

namespace nbody::executor::checker {

namespace {

using Value = std::optional<long long>;

/// Returns the bytes of a number or vector type; 0 for any other type.
std::size_t bytesOf(const std::string& type, bool isDouble) {
  static const std::map<std::string, std::size_t> numbers = {
      {"char", 1}, {"bool", 1},  {"short", 2}, {"int", 4},    {"unsigned", 4},
      {"uint", 4}, {"float", 4}, {"long", 8},  {"double", 8}, {"size_t", 8}};
  const std::string word = type.substr(type.find_last_of(" :") + 1);
  const bool isVector = word.find_last_of("234") == word.size() - 1;
  std::string number = isVector ? word.substr(0, word.size() - 1) : word;
  if (number == "real") number = isDouble ? "double" : "float";
  const auto position = numbers.find(number);
  if (position == numbers.end()) return 0;
  return position->second * (isVector ? word.back() - '0' : 1);
}

/// Returns the value of the constant \p name in the file: "16" of "constexpr int name = 16;".
std::string definitionOf(const std::string& name, const std::string& file) {
  const Pattern form(R"((#\s*define\s+)" + name + R"(\s+|\bconst.*\b)" + name +
                     R"(\s*=\s*)([^;,{}]+))");
  for (int line = 1; line <= lineCount(file); ++line)
    if (const auto groups = form.firstIn(sourceText(file, line)); !groups.empty())
      return groups[2].substr(0, groups[2].find("//"));
  return "";
}

/// Value of an expression of integers, + - * / and names.
class Expression {
 public:
  /// \param unknown  the only name that has a value without a definition, and that value
  Expression(const std::string& text, const std::string& file,
             std::map<std::string, long long> unknown, int depth = 0)
      : text_(text), file_(file), known_(std::move(unknown)), depth_(depth) {}

  Value value() {
    const Value all = sum();
    skipBlanks();
    return at_ == text_.size() ? all : std::nullopt;
  }
  /// Returns the names without a value.
  const std::set<std::string>& unknown() const { return unknown_; }

 private:
  void skipBlanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(char c) {
    skipBlanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  Value sum() {
    Value left = product();
    for (;;) {
      const int sign = take('+') ? 1 : take('-') ? -1 : 0;
      if (sign == 0) return left;
      const Value right = product();
      left = left && right ? Value(*left + sign * *right) : std::nullopt;
    }
  }
  Value product() {
    Value left = factor();
    for (;;) {
      const bool isTimes = take('*');
      if (!isTimes && !take('/')) return left;
      const Value right = factor();
      if (!left || !right || (!isTimes && *right == 0)) left = std::nullopt;
      else left = isTimes ? *left * *right : *left / *right;
    }
  }
  Value factor() {
    if (take('(')) {
      const Value inner = sum();
      return take(')') ? inner : std::nullopt;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
      ++at_;
    const std::string word = text_.substr(begin, at_ - begin);
    if (word.empty()) return std::nullopt;
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0)
      return std::strtoll(word.c_str(), nullptr, 0);
    if (const auto position = known_.find(word); position != known_.end()) return position->second;
    constexpr int kDeepest = 8;  // a name may be defined in terms of itself
    if (const std::string text = definitionOf(word, file_); !text.empty() && depth_ < kDeepest) {
      Expression definition(text, file_, known_, depth_ + 1);
      if (const Value found = definition.value()) return found;
    }
    unknown_.insert(word);
    return std::nullopt;
  }

  const std::string text_, file_;
  const std::map<std::string, long long> known_;
  const int depth_;
  std::size_t at_ = 0;
  std::set<std::string> unknown_;
};

/// Returns the extents; nothing if one is unknown. Adds names without a value to \p unknown.
std::optional<std::vector<std::size_t>> extentsOf(const std::vector<std::string>& texts,
                                                  const std::string& file,
                                                  const std::map<std::string, long long>& known,
                                                  std::set<std::string>& unknown) {
  std::vector<std::size_t> extents;
  for (const std::string& text : texts) {
    Expression expression(text, file, known);
    if (const Value extent = expression.value(); extent && *extent > 0)
      extents.push_back(static_cast<std::size_t>(*extent));
    unknown.insert(expression.unknown().begin(), expression.unknown().end());
  }
  return extents.size() == texts.size() ? std::optional(extents) : std::nullopt;
}

std::size_t productOf(const std::vector<std::size_t>& extents) {
  std::size_t product = 1;
  for (const std::size_t extent : extents) product *= extent;
  return product;
}

/// Returns the shape of an array of \p bytes bytes, which may determine a template parameter.
Shape shapeOf(const std::vector<std::string>& texts, std::size_t elementBytes, std::size_t bytes,
              const std::string& file) {
  if (elementBytes != 0 && texts.size() == 1) return {elementBytes, {}};
  std::set<std::string> unknown;
  auto extents = extentsOf(texts, file, {}, unknown);
  constexpr long long kMost = 1 << 16;
  for (long long value = 1; !extents && elementBytes != 0 && unknown.size() == 1 && value < kMost;
       ++value) {
    std::set<std::string> none;
    extents = extentsOf(texts, file, {{*unknown.begin(), value}}, none);
    if (!extents || productOf(*extents) * elementBytes > bytes) return {};
    if (productOf(*extents) * elementBytes < bytes) extents.reset();
  }
  if (!extents || bytes % productOf(*extents) != 0) return {};
  const std::size_t size = bytes / productOf(*extents);
  if (elementBytes != 0 && size != elementBytes) return {};
  return {size, {extents->begin() + 1, extents->end()}};
}

}  // namespace

Shape shapeOf(const std::string& name, std::size_t bytes, const std::string& file, int line,
              bool isDouble) {
  // The type may have two words: unsigned int. Other variables may stand before the array.
  constexpr int kType = 2, kExtents = 6;  // groups
  const Pattern form(
      R"(__(shared|device|constant|managed)__\s+(((const|volatile|unsigned|signed|long|short)\s+)*)"
      R"([[:alnum:]_:]+)\s+([^;=()]*[[:space:],])?)" +
      name + R"(\s*((\[[^]]+\]\s*)*)\s*[,;={])");
  static const Pattern extent(R"(\[([^]]+)\])");
  const int count = lineCount(file);
  // Looks above the access first: a called function is above the kernel that declares the array.
  for (int step = 0; step < count; ++step) {
    const std::string text = sourceText(file, step < line ? line - step : step + 1);
    if (text.find(name) == std::string::npos) continue;
    const auto groups = form.firstIn(text);
    if (groups.empty()) continue;
    if (groups[kExtents].empty()) return {};
    const std::size_t elementBytes = bytesOf(groups[kType], isDouble);
    return shapeOf(extent.allIn(groups[kExtents], 1), elementBytes, bytes, file);
  }
  return {};
}

}  // namespace nbody::executor::checker
