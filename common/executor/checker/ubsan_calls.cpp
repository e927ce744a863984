// Functions that compilers call with -fsanitize=bounds,alignment: for indices out of bounds of
// arrays of known size, and for misaligned pointers.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "base/pattern.hpp"
#include "executor/checker/findings.hpp"
#include "executor/checker/program.hpp"
#include "executor/checker/running.hpp"
#include "executor/checker/source.hpp"
#include "executor/messages.hpp"

using namespace nbody::executor;
using namespace nbody::executor::checker;

namespace {

// Arguments of the calls below, in the compilers' layout.
struct SourceLocation {
  const char* file;
  std::int32_t line, column;
};
struct TypeDescriptor {
  std::uint16_t kind;
  std::uint16_t info;  ///< for an integer: lowest bit: signed; others: log2 of its bits
  char name[1];  ///< "'float4 [256]'"
};
struct TypeMismatch {
  SourceLocation location;
  const TypeDescriptor* type;
  std::uint8_t alignmentLog2;
  std::uint8_t kind;
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

/// Returns " of 256 elements" for 'float4 [256]', and for 'float4 [256][2]'.
std::string sizeOf(const std::string& type) {
  const std::size_t begin = type.find('[');
  const std::size_t end = type.find(']', begin);
  if (end == std::string::npos) return " of " + type;
  return " of " + type.substr(begin + 1, end - begin - 1) + " elements";
}

/// Returns the memory of the __shared__ or __device__ variable that has that name, in any namespace;
/// empty: none.
std::string memoryOfVariable(const std::string& name) {
  for (const Symbol& shared : program().staticShared)
    if (shared.name == name) return "shared memory";
  for (const Array* array : globalArrays())
    if (array->name == name || array->name.ends_with("::" + name))
      return memoryName(*array) + " memory";
  return "";
}

/// Ends the program because of a mistake in host code of a kernel's file.
[[noreturn]] void endHost(const std::string& mistake) {
  std::fputs(("executor: " + mistake + "\n").c_str(), stderr);
  std::exit(1);
}

[[noreturn]] void found(const OutOfBounds& data, std::uintptr_t value) {
  const bool inKernel = std::exchange(running.watch, Watch::nothing) != Watch::nothing;
  const SourceLocation& location = data.location;
  const std::string index = std::to_string(indexOf(*data.index, value));
  const std::string type = data.array->name;
  const std::string where = place(location.file, location.line);
  if (!inKernel) endHost("index " + index + " is out of bounds of " + type + " at " + where);
  const std::string name = nameBeforeIndex(location.file, location.line, location.column);
  const bool isMember = isMemberBeforeIndex(location.file, location.line, name);
  std::string memory = memoryOfVariable(name);
  if (memory.empty()) memory = name.empty() || isMember ? "an array" : "a local array";
  const std::string what = name.empty() ? "index " + index : name + "[" + index + "]";
  foundIndex({.bug = Bug::outside,
              .space = Space::shared,
              .memory = memory,
              .what = what,
              .array = name.empty() ? what : name,
              .size = sizeOf(type),
              .where = where});
}

/// Returns the line of the brace that closes the function whose name is in a line.
int lastLineOf(const char* file, int line) {
  int depth = 0;
  for (int at = line; at <= lineCount(file); ++at)
    for (const char c : sourceText(file, at)) {
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (c == '}' && depth <= 0) return at;
    }
  return line;
}

/// Reports that a function of the program has ended without a return. The location is its name's.
[[noreturn]] void noReturn(const SourceLocation& location) {
  const bool inKernel = std::exchange(running.watch, Watch::nothing) != Watch::nothing;
  static const nbody::Pattern form(R"((\w+)\s*\()");
  const std::vector<std::string> match = form.firstIn(sourceText(location.file, location.line));
  const std::string name = match.empty() ? "a function" : match[1] + "()";
  const std::string where = place(location.file, lastLineOf(location.file, location.line));
  if (!inKernel) endHost(name + " ends without a return at " + where);
  foundIndex({.bug = Bug::noReturn,
              .space = Space::local,
              .memory = "",
              .what = name,
              .array = name,
              .where = where});
}

}  // namespace

extern "C" {
void __ubsan_handle_missing_return(const SourceLocation* location) { noReturn(*location); }
void __ubsan_handle_missing_return_abort(const SourceLocation*)
    __attribute__((alias("__ubsan_handle_missing_return")));
/// Ignores host code, because all CPUs that run this allow misaligned accesses.
void __ubsan_handle_type_mismatch_v1(TypeMismatch* data, std::uintptr_t address) {
  if (std::exchange(running.watch, Watch::nothing) == Watch::nothing) return;
  std::string type = data->type->name;  // "'float4'", with clang "'const float4'"
  std::erase(type, '\'');
  for (const char* word : {"const ", "struct "})
    if (type.starts_with(word)) type.erase(0, std::string(word).size());
  const std::size_t alignment = std::size_t{1} << data->alignmentLog2;
  foundMisaligned(reinterpret_cast<const char*>(address), type,
                  "A " + type + " lies at a multiple of " + std::to_string(alignment) + " bytes",
                  address % alignment,
                  place(data->location.file, data->location.line));
}
void __ubsan_handle_type_mismatch_v1_abort(TypeMismatch*, std::uintptr_t)
    __attribute__((alias("__ubsan_handle_type_mismatch_v1")));
void __ubsan_handle_out_of_bounds(OutOfBounds* data, std::uintptr_t value) { found(*data, value); }
void __ubsan_handle_out_of_bounds_abort(OutOfBounds*, std::uintptr_t)
    __attribute__((alias("__ubsan_handle_out_of_bounds")));
}
