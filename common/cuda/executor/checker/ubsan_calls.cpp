// The function that -fsanitize=bounds makes a compiler call for an index that is out of the bounds
// of an array of known size.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "cuda/executor/checker/findings.hpp"
#include "cuda/executor/checker/program.hpp"
#include "cuda/executor/messages.hpp"

using namespace nbody::executor;
using namespace nbody::executor::checker;

namespace {

// As compilers lay them out.
struct SourceLocation {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
};
struct TypeDescriptor {
  std::uint16_t kind;
  std::uint16_t info;  ///< of an integer: its lowest bit says signed, the others log2 of its bits
  char name[1];  ///< "'float4 [256]'"
};
struct OutOfBounds {
  SourceLocation location;
  const TypeDescriptor* array;
  const TypeDescriptor* index;
};

long long indexOf(const TypeDescriptor& type, std::uintptr_t value) {
  const int unused = 64 - (1 << (type.info >> 1));
  if ((type.info & 1) == 0 || unused <= 0) return static_cast<long long>(value);
  return static_cast<long long>(value << unused) >> unused;
}

bool isOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The array's name from the source, which is often at hand; empty where it is not.
std::string nameAt(const SourceLocation& location) {
  std::ifstream file(location.file);
  std::string text;
  for (std::uint32_t i = 0; i < location.line; ++i)
    if (!std::getline(file, text)) return "";
  std::size_t end = text.find('[', location.column > 0 ? location.column - 1 : 0);
  if (end == std::string::npos) return "";
  while (end > 0 && text[end - 1] == ' ') --end;
  std::size_t begin = end;
  while (begin > 0 && isOfName(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

bool isStaticShared(const std::string& name) {
  for (const Symbol& symbol : program().staticShared)
    if (symbol.name == name) return true;
  return false;
}

[[noreturn]] void found(const OutOfBounds& data, std::uintptr_t value) {
  const SourceLocation& location = data.location;
  const std::string index = std::to_string(indexOf(*data.index, value));
  const std::string type = data.array->name;
  const std::string where = place(location.file, static_cast<int>(location.line));
  if (!running.kernel) {  // a kernel file's host code
    std::fprintf(stderr,
                 "executor: index %s out of bounds of %s at %s\n",
                 index.c_str(),
                 type.c_str(),
                 where.c_str());
    std::exit(1);
  }
  running.kernel = false;
  const std::string name = nameAt(location);
  const bool shared = isStaticShared(name);
  Finding finding = {.bug = Bug::outside,
                     .space = Space::shared,
                     .memory = shared ? "shared memory" : "a local array",
                     .what = (name.empty() ? "index " + index : name + "[" + index + "]"),
                     .size = "of " + type,
                     .earlier = {},
                     .later = {},
                     .accessBytes = 0,
                     .where = where};
  foundIndex(std::move(finding));
}

}  // namespace

extern "C" {
void __ubsan_handle_out_of_bounds(OutOfBounds* data, std::uintptr_t value) { found(*data, value); }
void __ubsan_handle_out_of_bounds_abort(OutOfBounds* data, std::uintptr_t value) {
  found(*data, value);
}
}
