/// \file
/// A movie: one HTML file that holds the frames and the player.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/output_file.hpp"
#include "movie/frame.hpp"

namespace nbody {

/// What the player says of a run besides its frames.
struct MovieFacts {
  std::string scene;
  std::string program;  ///< with its precision: "03_unrolled, fp32"
  std::string device;
  int bodies;  ///< of the run, whether shown or not
  std::optional<double> interactionsPerSecond;
  std::vector<BodyRange> components;  ///< of the run's bodies, in their order; may be empty
};

/// Written frame by frame, so that a long movie needs no memory.
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

}  // namespace nbody
