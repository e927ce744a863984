/// \file
/// What the source says where the ELF file says nothing: names and element types of arrays. Found
/// where the source lies where it was compiled; reports do with less elsewhere.
#pragma once

#include <cstddef>
#include <string>

namespace nbody::executor::checker {

/// Line \p line of \p file; empty where there is none.
std::string sourceText(const std::string& file, int line);

/// "tile" for the line "real4* tile = dynamicShared<real4>();"; empty for one of another form.
std::string nameOfDynamicShared(const std::string& file, int line);

/// "tile" for a line with an index at \p column: "sum += tile[k];"; empty where there is none.
std::string nameBeforeIndex(const std::string& file, int line, int column);

/// Bytes of an element of the __shared__ array \p name, declared above \p line; 0 where that is not
/// found, or the array has several extents. \p isDouble: type real is.
std::size_t elementBytesOfShared(const std::string& name,
                                 const std::string& file,
                                 int line,
                                 bool isDouble);

}  // namespace nbody::executor::checker
