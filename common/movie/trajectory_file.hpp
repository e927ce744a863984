/// \file
/// Positions over time in the plainest layout that there is.
#pragma once

#include <string>

#include "base/output_file.hpp"
#include "bodies/bodies.hpp"

namespace nbody {

/// A file of int32 count, int32 frames, then float32 positions[frames][count][3], all little-endian
/// whatever the machine. Read in Python by
/// `count, frames = numpy.fromfile(name, "<i4", 2)` and
/// `numpy.fromfile(name, "<f4", offset=8).reshape(frames, count, 3)`.
class TrajectoryFile {
 public:
  TrajectoryFile(const std::string& path, int count, int frames);

  /// The next frame, x, y and z of every body rounded to single precision.
  void add(const Bodies& bodies);

  /// After the last of the frames that were announced.
  void finish() { file_.commit(); }

 private:
  OutputFile file_;
};

double trajectoryBytes(int count, int frames);

}  // namespace nbody
