/// \file
/// The functions that a step's forces.cu defines in the step's namespace, and the memory that they keep. A simulation
/// and the judge call them.
#pragma once

#include <memory>
#include <optional>

#include "driver/step.hpp"

namespace nbody::inline NBODY_PRECISION::NBODY_STEP_NAMESPACE {

/// Computes every body's acceleration, and returns before the GPU has finished.
/// \param bodies            positions and masses: x, y, z, mass; length N, at least 1
/// \param softeningSquared  epsilon^2 of GPU Gems 3, section 31.2, above 0; unit of length squared
/// \param options           resolved
/// \param accelerations     out: x, y, z, 0 in units of length per time squared with G = 1;
///                          length N
void computeForces(const DeviceArray<real4>& bodies, real softeningSquared, const Options& options,
                   DeviceArray<real4>& accelerations);

inline constexpr ForceNeeds kNeeds = needsOf<Options>();

// A step that keeps memory from one evaluation to the next (ForceNeeds::workspace) defines this
// Workspace, which its simulation owns, and computeForces() with it.
struct Workspace;
std::shared_ptr<Workspace> makeWorkspace();
void computeForces(const DeviceArray<real4>& bodies, real softeningSquared, const Options& options,
                   DeviceArray<real4>& accelerations, Workspace& workspace);

// A step whose memory may turn out too small, because only the device knows how much it needs
// (ForceNeeds::grows), then leaves the accelerations as they were. This waits for the last forces and
// says whether that happened. If so, compute them again: they will have the memory.
bool lackedMemory(Workspace& workspace);

// A step whose forces depend on the accelerations of the last evaluation (ForceNeeds::remembers) makes the next one
// independent of them here, for other bodies.
void forget(Workspace& workspace);

// A step in several phases (ForceNeeds::phases) defines this instead. Unless \p phases is null, it waits for the end of
// each phase, and writes their times there.
void computeForces(const DeviceArray<real4>& bodies, real softeningSquared, const Options& options,
                   DeviceArray<real4>& accelerations, Workspace& workspace, PhaseTimes* phases);

/// A step's forces, with the memory that they keep.
class StepForces {
 public:
  void compute(const DeviceArray<real4>& bodies, real softeningSquared, const Options& options,
               DeviceArray<real4>& accelerations) {
    if constexpr (kNeeds.phases)
      computeForces(bodies, softeningSquared, options, accelerations, workspace(), nullptr);
    else if constexpr (kNeeds.workspace)
      computeForces(bodies, softeningSquared, options, accelerations, workspace());
    else computeForces(bodies, softeningSquared, options, accelerations);
  }

  /// Returns whether the last forces had too little memory, so that they must be computed again.
  bool lackedMemory() {
    if constexpr (kNeeds.grows)
      return workspace_ != nullptr && NBODY_STEP_NAMESPACE::lackedMemory(*workspace_);
    return false;
  }

  /// Makes the next forces independent of the last ones.
  void forget() {
    if constexpr (kNeeds.remembers)
      if (workspace_ != nullptr) NBODY_STEP_NAMESPACE::forget(*workspace_);
  }

  /// Computes the forces and times their phases. Returns nothing, and computes nothing, without phases.
  std::optional<PhaseTimes> computeInPhases(const DeviceArray<real4>& bodies, real softeningSquared,
                                            const Options& options,
                                            DeviceArray<real4>& accelerations) {
    std::optional<PhaseTimes> phases;
    if constexpr (kNeeds.phases)
      computeForces(bodies, softeningSquared, options, accelerations, workspace(),
                    &phases.emplace());
    return phases;
  }

 private:
  Workspace& workspace() {
    if (!workspace_) workspace_ = makeWorkspace();
    return *workspace_;
  }

  std::shared_ptr<Workspace> workspace_;
};

}  // namespace nbody::inline NBODY_PRECISION::NBODY_STEP_NAMESPACE
