/// \file
/// A file that is there whole or not at all.
#pragma once

#include <string>

namespace nbody {

/// Throws BadInput, with the reason, where \p path cannot be written. Leaves nothing behind.
void checkWritable(const std::string& path);

/// Writes \p content to a temporary file beside \p path and renames it, so that an earlier file survives any
/// failure. What is no regular file (a pipe, /dev/stdout) is written to directly.
void writeWhole(const std::string& path, const std::string& content);

}  // namespace nbody
