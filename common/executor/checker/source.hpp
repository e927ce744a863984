/// \file
/// Finds source lines of addresses in the program, and reads there what the ELF file lacks: names
/// and element types of arrays. The source is found only in the place where it was compiled;
/// otherwise reports have less detail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace nbody::executor::checker {

/// A line of the source, with the file's name as given to the compiler.
struct Frame {
  std::string file;
  int line = 0;
  std::string function = {};  ///< linker's name, or without its scope; "": a kernel
};

/// Returns the innermost line at \p code that a kernel's author wrote; line 0 if unknown.
Frame sourceFrame(std::uint32_t code);

/// A place in the source, for reports.
struct SourceLine {
  std::string text;  ///< "02_tiled/forces.cu:57", with the caller's line if it is inlined
  std::vector<Frame> frames = {};  ///< the innermost first, then where it is inlined
};
/// Finds the line of each of \p codes: addresses after calls, as offsets in the program. Gives the
/// function's name if addr2line is not installed.
std::map<std::uint32_t, SourceLine> sourceLines(const std::set<std::uint32_t>& codes);

/// Returns line \p line of \p file; empty if there is none.
std::string sourceText(const std::string& file, int line);

int lineCount(const std::string& file);

/// Barrier in a line. ofBlock, ofWarp: a separate statement for a block or a whole warp.
/// inStatement: part of another statement, as after an if, or a barrier of some lanes.
enum class BarrierText { none, ofBlock, ofWarp, inStatement };
BarrierText barrierAt(const std::string& file, int line);

/// Returns "tile" for the line "extern __shared__ real4 tile[];"; empty for another form.
std::string nameOfDynamicShared(const std::string& file, int line);

/// Returns "tile" for a line with an index at \p column: "sum += tile[k];"; empty if there is none.
std::string nameBeforeIndex(const std::string& file, int line, int column);
/// Returns whether the line has the array as a member, "cell.name[" or "cell->name[".
bool isMemberBeforeIndex(const std::string& file, int line, const std::string& name);

/// Elements of an array, from its declaration.
struct Shape {
  std::size_t elementBytes = 0;  ///< 0: unknown
  std::vector<std::size_t> inner = {};  ///< all extents except the first
};
/// Returns the shape of \p name (\p bytes long), declared near \p line. isDouble: of real.
Shape shapeOf(const std::string& name, std::size_t bytes, const std::string& file, int line,
              bool isDouble);

}  // namespace nbody::executor::checker
