/// \file
/// Positions over time, written frame by frame, so that a long run needs no memory: a movie, which
/// is one HTML file with frames and player, or a trajectory, which is a plain array of numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/output_file.hpp"
#include "movie/frame.hpp"

namespace nbody {

/// Facts about a run that the player shows with the frames.
struct MovieFacts {
  std::string scene;
  std::string program;  ///< with its precision: "03_unrolled, fp32"
  std::string device;
  int bodies;  ///< number of bodies of the run, shown or not
  std::optional<double> interactionsPerSecond = {};
  std::vector<BodyRange> components = {};  ///< parts of the run, in the bodies' order; may be empty
};

class MovieFile {
 public:
  MovieFile(const std::string& path, std::vector<int> chosen);

  /// \param energyDrift  |E - E(start)| / |E(start)|, if it is known for this frame
  void add(const Bodies& bodies, double time, std::optional<double> energyDrift);

  /// Adds \p facts and the player after the last frame, and puts the file in place.
  void finish(const MovieFacts& facts);

 private:
  struct Moment {
    double time;
    std::optional<double> energyDrift;
    std::array<double, 3> low, step;
  };

  OutputFile file_;
  std::vector<int> chosen_;
  std::vector<Moment> moments_;
};

/// Returns the approximate size of a movie of \p frames frames of \p shown bodies, because numbers
/// in JSON vary in length.
double movieBytes(int shown, int frames);

/// Returns \p count bytes in base64 (RFC 4648): four characters per three bytes, padded with '='.
std::string base64(const void* bytes, std::size_t count);

/// Returns JSON that a script element of HTML can hold. A name may contain "</script>", which would
/// end the element; in JSON, '<' is only in strings.
std::string withoutTags(const std::string& json);

/// A trajectory: a file of int32 count, int32 frames, then float32 positions[frames][count][3],
/// little-endian on every machine. To read it in Python:
/// `count, frames = numpy.fromfile(name, "<i4", 2)` and
/// `numpy.fromfile(name, "<f4", offset=8).reshape(frames, count, 3)`.
class TrajectoryFile {
 public:
  TrajectoryFile(const std::string& path, int count, int frames);

  /// Adds a frame: x, y and z of every body, rounded to single precision.
  void add(const Bodies& bodies);

  /// Puts the file in place, after the last of the announced frames.
  void finish() { file_.commit(); }

 private:
  OutputFile file_;
};

double trajectoryBytes(int count, int frames);

}  // namespace nbody
