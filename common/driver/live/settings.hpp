/// \file
/// What the knobs of a live run set, and what may be set.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "driver/report_json.hpp"
#include "driver/run_options.hpp"
#include "driver/run_program.hpp"

namespace nbody {

enum class LiveColour { galaxy, speed, acceleration };

struct LiveSettings {
  const Scene* scene;
  int bodies;  ///< asked for; a scene may have its own number
  std::uint64_t seed;
  double timeStep;
  double softening;
  std::map<std::string, std::string> stepOptions;  ///< those that were set, of any step, by name
  LiveColour colour = LiveColour::galaxy;
  int stepsPerFrame = 1;  ///< 0: as many as go

  int count() const { return scene->fixedCount > 0 ? scene->fixedCount : bodies; }

  /// Whether the bodies at the start are others.
  bool restarts(const LiveSettings& before) const {
    return scene != before.scene || count() != before.count() || seed != before.seed;
  }

  /// Whether the simulation is another.
  bool rebuilds(const LiveSettings& before) const {
    return restarts(before) || softening != before.softening || stepOptions != before.stepOptions;
  }
};

/// Those of the command line.
LiveSettings givenSettings(const RunOptions& options, const Program& program);

/// What a program on its device does in time.
struct LiveLimits {
  int bodies;
  SofteningRange softening;
};

/// A device takes its time for each step, during which no knob is heard.
LiveLimits liveLimits(const Device& device);

/// Throws BadInput where more bodies are asked for than \p limits allow.
void checkLimits(const LiveSettings& settings, const LiveLimits& limits);

/// The program's own options of \p settings, not resolved.
std::unique_ptr<StepOptions> stepOptionsOf(const LiveSettings& settings, const Program& program);

/// What a page needs to draw the knobs.
/// \param resolved  the step's options as they are used
Json knobsOf(const LiveSettings& settings, const LiveLimits& limits, StepOptions& resolved);

/// \p settings with the members of \p set; throws BadInput that names the first that cannot be.
LiveSettings changed(LiveSettings settings,
                     const Json& set,
                     const LiveLimits& limits,
                     const Program& program);

const char* nameOf(LiveColour colour);

/// Throws BadInput.
LiveColour colourNamed(const Json& value);

}  // namespace nbody
