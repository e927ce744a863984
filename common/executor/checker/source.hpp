/// \file
/// From addresses in the program to lines of its source, and what these say where the ELF file says
/// nothing: names and element types of arrays. The text is found where the source lies where it was
/// compiled; reports do with less elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace nbody::executor::checker {

/// A line of the source, the file as the compiler was given it.
struct Frame {
  std::string file;
  int line = 0;
  std::string function = {};  ///< as the linker has it, or without its scope; "": a kernel
};

/// The innermost line at \p code that a kernel's author wrote; line 0 where it is not known.
Frame sourceFrame(std::uint32_t code);

/// A place in the source, as reports say it.
struct SourceLine {
  std::string text;  ///< "02_tiled/forces.cu:57", with the caller's line too where it is inlined
  std::vector<Frame> frames = {};  ///< the innermost first, then where it is inlined
};
/// Finds the line of each of \p codes: addresses after calls, as offsets in the program. It gives
/// the function's name if addr2line is not installed.
std::map<std::uint32_t, SourceLine> sourceLines(const std::set<std::uint32_t>& codes);

/// Line \p line of \p file; empty where there is none.
std::string sourceText(const std::string& file, int line);

int lineCount(const std::string& file);

/// Barrier in a line. ofBlock, ofWarp: a separate statement for a block or a whole warp.
/// inStatement: part of another statement, as after an if, or a barrier of some lanes.
enum class BarrierText { none, ofBlock, ofWarp, inStatement };
BarrierText barrierAt(const std::string& file, int line);

/// "tile" for the line "extern __shared__ real4 tile[];"; empty for one of another form.
std::string nameOfDynamicShared(const std::string& file, int line);

/// "tile" for a line with an index at \p column: "sum += tile[k];"; empty where there is none.
std::string nameBeforeIndex(const std::string& file, int line, int column);

/// The elements of an array as its declaration has them.
struct Shape {
  std::size_t elementBytes = 0;  ///< 0: not known
  std::vector<std::size_t> inner = {};  ///< the extents but the first
};
/// Shape of \p name (\p bytes long), declared above \p line or below. \p isDouble: real is double.
Shape shapeOf(const std::string& name, std::size_t bytes, const std::string& file, int line,
              bool isDouble);

}  // namespace nbody::executor::checker
