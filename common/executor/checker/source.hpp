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
/// Of each of \p codes, the addresses after calls, as offsets in the program. The function's name
/// stands in where addr2line is not installed.
std::map<std::uint32_t, SourceLine> sourceLines(const std::set<std::uint32_t>& codes);

/// Line \p line of \p file; empty where there is none.
std::string sourceText(const std::string& file, int line);

int lineCount(const std::string& file);

/// A barrier in a line: of a block or a whole warp as a statement of its own, or in another one, as
/// after an if, or of some lanes.
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
/// Of the variable \p name of \p bytes bytes, declared above \p line or else below. \p isDouble: type real is.
Shape shapeOf(const std::string& name, std::size_t bytes, const std::string& file, int line,
              bool isDouble);

}  // namespace nbody::executor::checker
