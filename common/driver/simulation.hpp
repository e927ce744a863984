/// \file
/// A simulation: bodies in some memory, with the forces between them. The shared main runs, times and checks it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "bodies/snapshot.hpp"
#include "driver/processes.hpp"
#include "driver/step_options.hpp"
#include "measure/occupancy.hpp"
#include "measure/timing.hpp"

namespace nbody {

/// Quantities that a simulation stores for each body.
enum class Quantity { position, velocity, acceleration };

class Simulation {
 public:
  virtual ~Simulation() = default;

  /// Processes that the simulation is spread over. All of them call each function below together.
  virtual const Processes& processes() const { return kOneProcessAlone; }

  /// \param bodies  the first process's count
  virtual void upload(const Bodies& bodies) = 0;

  /// Reads the bodies of \p file, a tipsy file that has not been read yet, instead of upload().
  virtual void readSnapshot(const SnapshotFile& file) { upload(file.read()); }

  /// Writes a snapshot as nbody::writeSnapshot() does, without bringing all bodies to one place.
  /// Returns false, and writes nothing, if this simulation cannot.
  virtual bool writeSnapshot(const std::string& path, double time, double softening) const {
    static_cast<void>(path), static_cast<void>(time), static_cast<void>(softening);
    return false;
  }

  /// Positions, masses and velocities as they are now, on the first process; none on the others.
  virtual Bodies download() const = 0;

  /// x, y, z, 0 of each body, as the last computeForces() left them; on the first process.
  virtual std::vector<Double4> accelerations() const = 0;

  /// Brings the bodies that \p chosen lists, each once and in order: a watched run shows few of many.
  /// Velocities may be half a step behind. They are on the host when this returns; the function
  /// gives them, on any thread.
  virtual std::function<std::vector<Double4>()> bring(Quantity quantity,
                                                      const std::vector<int>& chosen) const;

  /// Fills the accelerations with NaN, so that one that is not written fails the check.
  virtual void poisonAccelerations() = 0;

  virtual void computeForces() = 0;

  /// Computes the forces and times their parts; returns nothing if they have no parts.
  virtual std::optional<PhaseTimes> computeForcesInPhases() { return std::nullopt; }

  /// Returns the kernels of computeForces(); nothing if it has none, or needs the host between them.
  virtual std::optional<std::vector<KernelLaunch>> launches() { return std::nullopt; }

  /// Takes \p steps leapfrog steps of length \p timeStep. Needs the forces at their start; leaves those at their end.
  /// With \p inGraph, many of them are launched as one CUDA graph if the host need not look at anything in between.
  virtual void advance(double timeStep, int steps, bool inGraph) = 0;
  void step(double timeStep) { advance(timeStep, 1, false); }

  /// Returns the largest number of steps that advance() launches at once; a run shows its progress after them.
  virtual int stepsAtOnce() const { return 1; }

  /// Waits until all work has ended, and throws if some of it failed. Returns whether the last forces had too little
  /// memory and have been computed again.
  virtual bool synchronize() { return false; }

  /// Returns the bytes of global memory that kernels have read so far; only the executor's checker counts them.
  virtual std::optional<std::uint64_t> globalBytesRead() const { return std::nullopt; }

  /// Returns the accelerations as they are without the race that the checker has reported, as far as
  /// that can be known; empty if it has reported none.
  virtual std::vector<Double4> withoutRace() { return {}; }

  /// Times a force evaluation and, unless \p timeStep is 0, a leapfrog step of this length as advance() makes it: they
  /// take turns, because a step contains a force evaluation. The bodies move. On a GPU and with \p inGraph, short work
  /// is repeated in one graph. Returns the time of the forces and, if there is one, that of a step.
  virtual std::vector<Timing> time(double timeStep, int repeats, bool inGraph) = 0;
};

/// A simulation that has all of its bodies on one device. The library writes them there.
class DeviceSimulation : public Simulation {
 public:
  /// Arrays of the device, in the step's precision.
  struct Memory {
    void* bodies;  ///< x, y, z, mass
    const void* accelerations;  ///< x, y, z, 0
  };
  virtual Memory memory() = 0;

  /// Changes the softening, in the unit of the bodies in memory().
  virtual void setSoftening(double softening) = 0;

  /// Does computeForces(), with as few launches as possible.
  virtual void computeForcesAtOnce() = 0;

  /// Makes the next forces independent of those before, because they are for other bodies.
  virtual void forget() = 0;
};

/// Does Simulation::time() with the host's clock.
std::vector<Timing> timesOnHost(Simulation& simulation, double timeStep, int repeats,
                                double warmUpMs = 0);

/// A step or a host baseline: the method of a program, or one of several in the library (common/library/).
struct LinkedMethod {
  const char* name;
  bool doublePrecision;
  bool keepsMemory;  ///< from one force evaluation to the next
  bool onHost;
  std::function<std::unique_ptr<StepOptions>()> options;
  std::function<std::unique_ptr<Simulation>(int count, double softening, const StepOptions&)>
      simulation;
  bool remembers =
      false;  ///< forces depend on the last accelerations, which say how exact they must be
};

/// The methods that this program is linked with. Each calls link() before main() starts.
std::vector<LinkedMethod>& linkedMethods();

/// Adds \p method to them, and returns true.
bool link(LinkedMethod method);

/// The options of a program's only method, none of them resolved.
inline std::unique_ptr<StepOptions> makeStepOptions() { return linkedMethods().front().options(); }

/// The simulation of a program's only method, on the backend's memory and in the method's precision.
/// \param options  the method's, resolved
inline std::unique_ptr<Simulation> makeStepSimulation(int count, double softening,
                                                      const StepOptions& options) {
  return linkedMethods().front().simulation(count, softening, options);
}

/// Returns the median times of the parts of \p repeats force evaluations; unless \p timed, only the other numbers.
/// Returns nothing if the simulation has no parts.
std::optional<PhaseTimes> measurePhases(Simulation& simulation, int repeats, bool timed);

}  // namespace nbody
