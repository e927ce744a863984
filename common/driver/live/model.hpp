/// \file
/// The simulation of a live run, under its knobs.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "driver/live/settings.hpp"
#include "driver/simulation.hpp"
#include "movie/frame.hpp"

namespace nbody {

class LiveModel {
 public:
  /// At the start of the scene.
  LiveModel(const Program& program, LiveSettings settings);

  /// Continues where another program has stopped.
  LiveModel(const Program& program, LiveSettings settings, const Bodies& bodies, LiveMoment moment);

  /// From the bodies as they are, or the start where those are others. Throws where that cannot be;
  /// nothing is changed then.
  void set(LiveSettings settings);

  void restart();
  void advance(int steps);

  const LiveSettings& settings() const { return settings_; }
  const LiveMoment& moment() const { return moment_; }
  Simulation& simulation() const { return *simulation_; }
  StepOptions& resolved() const { return *resolved_; }

  int shownCount() const { return static_cast<int>(chosen_.size()); }

  /// The scene's parts among the bodies that are shown.
  std::vector<BodyRange> components() const;

  /// Brings what is shown to the host. The function makes the frame of it, on any thread; it throws
  /// BadInput if a position is not finite.
  std::function<ShownBodies()> shown(std::uint32_t number) const;

 private:
  void build(LiveSettings settings, const Bodies& bodies);

  const Program& program_;
  LiveSettings settings_;
  LiveMoment moment_;
  std::unique_ptr<StepOptions> resolved_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<int> chosen_;
};

}  // namespace nbody
