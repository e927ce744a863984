/// \file
/// A step's forces, with the memory that they keep. A simulation and the judge call them.
#pragma once

#include <memory>
#include <optional>

#include "driver/step.hpp"

namespace nbody {

/// A step's forces, with the memory that they keep.
class StepForces {
 public:
  void compute(const DeviceArray<real4>& bodies, real softeningSquared, const Options& options,
               DeviceArray<real4>& accelerations) {
    if constexpr (kNeeds.workspace)
      computeForces(bodies, softeningSquared, options, accelerations, workspace());
    else computeForces(bodies, softeningSquared, options, accelerations);
  }

  /// Returns whether the last forces had too little memory, so that they must be computed again.
  bool lackedRoom() {
    if constexpr (kNeeds.grows) return workspace_ != nullptr && nbody::lackedRoom(*workspace_);
    return false;
  }

  /// Makes the next forces independent of the last ones.
  void forget() {
    if constexpr (kNeeds.remembers)
      if (workspace_ != nullptr) nbody::forget(*workspace_);
  }

  /// Computes the forces and times their phases. Returns nothing, and computes nothing, without phases.
  std::optional<PhaseTimes> computeInPhases(const DeviceArray<real4>& bodies, real softeningSquared,
                                            const Options& options,
                                            DeviceArray<real4>& accelerations) {
    if constexpr (kNeeds.phases)
      return computeForcesInPhases(bodies, softeningSquared, options, accelerations, workspace());
    return std::nullopt;
  }

 private:
  Workspace& workspace() {
    if (!workspace_) workspace_ = makeWorkspace();
    return *workspace_;
  }

  std::shared_ptr<Workspace> workspace_;
};

}  // namespace nbody
