/// \file
/// The files that a run's bodies come from and go to.
#pragma once

#include <memory>
#include <string>

#include "bodies/snapshot.hpp"
#include "driver/run_options.hpp"
#include "driver/simulation.hpp"

namespace nbody {

/// Returns the number in the name of a numbered snapshot of \p output, in any folder: 100 for out-000100.tipsy and
/// out.tipsy. 0 if \p name is no such name.
long long snapshotNumber(const std::string& name, const std::string& output);

/// Opens the file of `--input`, if there is one. Takes from it what the command line left open: the number of
/// bodies, and the softening if the file has one within \p range. Throws BadInput.
std::unique_ptr<SnapshotFile> openInput(RunOptions& options, SofteningRange range);

/// Reads the bodies of \p file. Throws BadInput if the precision cannot hold their forces in any unit.
Bodies readInput(const SnapshotFile& file, double softening, bool doublePrecision);

/// Writes the snapshots of a run.
class SnapshotWriter {
 public:
  /// \param time  at which the run starts
  SnapshotWriter(const RunOptions& options, double time);

  /// Throws BadInput if one of the files cannot be written.
  void checkFiles() const;

  /// Steps until the next numbered snapshot is due.
  long long stepsToNext() const;

  /// Call it after \p steps more steps, at most stepsToNext(): writes the numbered snapshot that is due.
  void afterSteps(int steps, const Simulation& simulation);

  /// Call it after the last step: writes the file of `--output`, if there is one.
  /// \param bodies  those of \p simulation
  void writeOutput(const Simulation& simulation, const Bodies& bodies) const;

  /// Returns the time of the bodies after the steps so far.
  double time() const { return time_; }

 private:
  std::string numberedName(long long number) const;

  const RunOptions& options_;
  double time_;
  long long number_ = 0;  ///< steps so far, with those of the snapshot from which the run continues
};

}  // namespace nbody
