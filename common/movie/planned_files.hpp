/// \file
/// The files of a recording before the run.
#pragma once

#include <string>

namespace nbody {

/// Throws BadInput where \p path cannot be written, or its disk has no room for that many bytes.
void checkRoom(const std::string& path, double bytes);

/// Throws BadInput where the name is not that of a picture that this build can write.
void checkPicture(const std::string& name);

/// Prints what will be written: "movie  FILE: 300 frames of 16384 bodies, about 39.4 MB".
void announceFile(const char* what, const std::string& file, int frames, int count, double bytes);

}  // namespace nbody
