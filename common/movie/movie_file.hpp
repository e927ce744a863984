/// \file
/// Positions over time, written frame by frame, so that a long run needs no memory: a movie, which
/// is one HTML file that holds the frames and the player, and the plainest layout that there is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/output_file.hpp"
#include "movie/frame.hpp"

namespace nbody {

/// Facts about a run that the player shows besides its frames.
struct MovieFacts {
  std::string scene;
  std::string program;  ///< with its precision: "03_unrolled, fp32"
  std::string device;
  int bodies;  ///< of the run, whether shown or not
  std::optional<double> interactionsPerSecond = {};
  std::vector<BodyRange> components = {};  ///< of the run's bodies, in their order; may be empty
};

class MovieFile {
 public:
  MovieFile(const std::string& path, std::vector<int> chosen);

  /// \param energyDrift  |E - E(start)| / |E(start)|, where it is known at this frame
  void add(const Bodies& bodies, double time, std::optional<double> energyDrift);

  /// After the last frame: \p facts and the player. From now on the file is there.
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

/// About the size of a movie of \p frames of \p shown bodies: numbers in JSON vary in length.
double movieBytes(int shown, int frames);

/// \p count bytes in base64 (RFC 4648), four characters for every three, padded with '='.
std::string base64(const void* bytes, std::size_t count);

/// JSON for a script element of HTML. A name may hold "</script>", which ends the element wherever it
/// stands; in JSON a '<' is in no place but a string.
std::string withoutTags(const std::string& json);

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
