/// \file
/// Settings that a page changes, their limits, and messages between run and page.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "driver/report_json.hpp"
#include "driver/run_options.hpp"
#include "driver/run_program.hpp"
#include "physics/conserved.hpp"

namespace nbody {

struct LiveSettings {
  const Scene* scene;
  int bodies;  ///< requested number; a scene may have its own
  std::uint64_t seed;
  double timeStep;
  double softening;
  std::map<std::string, std::string> stepOptions;  ///< those that were set, of all steps, by name
  std::string colour = "galaxy";  ///< or "speed", "acceleration"
  int stepsPerFrame = 1;  ///< 0: as many as possible

  int count() const { return scene->fixedCount > 0 ? scene->fixedCount : bodies; }

  /// Returns whether the run must restart with other bodies.
  bool restarts(const LiveSettings& before) const {
    return scene != before.scene || count() != before.count() || seed != before.seed;
  }

  /// Returns whether the simulation must be built again.
  bool rebuilds(const LiveSettings& before) const {
    return restarts(before) || softening != before.softening || stepOptions != before.stepOptions;
  }
};

/// Returns the settings of the command line.
LiveSettings givenSettings(const RunOptions& options, const Program& program);

/// Returns the most bodies that are fast enough on the device, because no setting has an effect during
/// a step.
int mostBodies(const Device& device);

/// Throws BadInput if more than \p most bodies are requested.
void checkBodies(const LiveSettings& settings, int most);

/// Returns the program's own options with \p settings, not resolved.
std::unique_ptr<StepOptions> stepOptionsOf(const LiveSettings& settings, const Program& program);

/// Returns the page's data for drawing the settings.
/// \param resolved  the step's options in use
Json rowsOf(const LiveSettings& settings, int mostBodies, StepOptions& resolved);

/// Returns \p settings with the members of \p set; throws BadInput about the first invalid one.
LiveSettings changed(LiveSettings settings, const Json& set, int mostBodies,
                     const Program& program);

/// The point that a run has reached.
struct LiveMoment {
  double time = 0;  ///< in the scene's unit of time
  long long steps = 0;
};

/// The state that a run leaves to the next program, next to the file of bodies.
struct LiveState {
  LiveSettings settings;
  LiveMoment moment = {};
  std::optional<Conserved> conserved = {};  ///< at the start; nothing if this is the start
  bool playing = true;
  std::string program = {};  ///< the last program of the run
  std::string gpu = {};  ///< the GPU whose peak rate was measured last, or ""
  double tflops = 0;  ///< its peak rate
};

Json json(const LiveState& state);

/// Throws BadInput if \p text is not a state.
LiveState stateOf(const std::string& text);

/// Returns a viewer's order to a run: {"do": "play", "pause", "step" or "reset"}, or {"set": ...},
/// whose value is not checked. Throws BadInput with "what: why" if \p text is not an order.
Json orderOf(const std::string& text);

/// Returns the message to \p viewer (0: to all) whose order was refused with "what: why".
Json refusal(const std::string& refused, long long viewer);

}  // namespace nbody
