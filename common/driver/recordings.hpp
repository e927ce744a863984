/// \file
/// Files that show a run: its movie and its trajectory.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/report.hpp"
#include "driver/run_options.hpp"
#include "driver/simulation.hpp"
#include "movie/movie_file.hpp"
#include "physics/conserved.hpp"

namespace nbody {

/// Writes the files of `--movie` and `--trajectory` during the run. If one cannot be written any more,
/// for example because the disk is full, the run and the other files go on. The file is removed, and finish()
/// says why.
class Recordings {
 public:
  explicit Recordings(const RunOptions& options);

  /// Throws BadInput if a file cannot be written or the disk has no room for it.
  void checkFiles() const;

  /// Prints what will be written, and how large.
  void announce() const;

  /// Call it before the first step.
  void start(const Simulation& simulation, double time);

  /// Returns the number of steps until the next frame is due.
  long long stepsToNext() const;

  /// Call it after \p steps more steps, at most stepsToNext(): adds the frame that is due.
  void afterSteps(int steps, const Simulation& simulation, double time);

  /// Call it after the last step.
  void end();

  /// Completes the movie at the end of the run. Returns in one line what could not be written, and why; empty if
  /// everything was.
  std::string finish(const RunResult& result);

 private:
  /// A movie or a trajectory before the run.
  struct PlannedFile {
    const char* kind;
    std::string path;
    int bodies;
    double bytes;
  };

  void addFrame(const Simulation& simulation, double time);
  std::optional<double> energyDriftOf(const Bodies& bodies);

  /// Does \p work on \p file, if there is one, and gives the file up if that fails.
  template <class File>
  void attempt(std::unique_ptr<File>& file, const std::function<void(File&)>& work);
  /// Does \p work. Returns false, and keeps the reason for finish(), if that fails.
  bool attempt(const std::function<void()>& work);

  const RunOptions& options_;
  int every_;  ///< steps from frame to frame
  int frames_;  ///< number of frames in the run
  int framesBetweenEnergies_;
  std::vector<int> chosen_;  ///< bodies that the movie shows
  std::vector<PlannedFile> planned_;
  std::unique_ptr<MovieFile> movie_;
  std::unique_ptr<TrajectoryFile> trajectory_;
  int steps_ = 0;  ///< so far
  Conserved start_ = {};
  std::vector<std::string> failures_;
};

}  // namespace nbody
