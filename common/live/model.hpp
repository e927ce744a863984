/// \file
/// The simulation of a live run, and its settings.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "live/settings.hpp"
#include "driver/simulation.hpp"
#include "movie/frame.hpp"

namespace nbody {

class LiveModel {
 public:
  /// Begins at the start of the scene.
  LiveModel(const Program& program, const LiveSettings& settings);

  /// Continues where another program has stopped.
  LiveModel(const Program& program, const LiveSettings& settings, const Bodies& bodies,
            LiveMoment moment);

  /// Continues with the same bodies, or restarts if \p settings need other bodies. If it throws,
  /// nothing has changed.
  void set(const LiveSettings& settings);

  void restart();
  void advance(int steps);

  const LiveSettings& settings() const { return settings_; }
  const LiveMoment& moment() const { return moment_; }
  Simulation& simulation() const { return *simulation_; }
  StepOptions& resolved() const { return *resolved_; }

  int shownCount() const { return static_cast<int>(chosen_.size()); }

  /// Returns the scene's parts among the shown bodies.
  std::vector<BodyRange> components() const;

  /// Copies the shown bodies to the host. The result makes their frame, on any thread; it throws
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
