/// \file
/// Settings that the knobs of a live run change, their limits, and the texts between run and page.
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

/// Returns the settings of the command line.
LiveSettings givenSettings(const RunOptions& options, const Program& program);

/// Limits of a program on its device: the bodies that it moves in time, and the softenings.
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

/// Returns what a page needs to draw the knobs.
/// \param resolved  the step's options as they are used
Json knobsOf(const LiveSettings& settings, const LiveLimits& limits, StepOptions& resolved);

/// \p settings with the members of \p set; throws BadInput that names the first that cannot be.
LiveSettings changed(LiveSettings settings, const Json& set, const LiveLimits& limits,
                     const Program& program);

const char* nameOf(LiveColour colour);

/// Throws BadInput.
LiveColour colourNamed(const Json& value);

/// The point that a run has reached.
struct LiveMoment {
  double time = 0;  ///< in the scene's unit
  long long steps = 0;
};

/// State that a run leaves to the next program, next to the file of the bodies.
struct LiveState {
  LiveSettings settings;
  LiveMoment moment = {};
  std::optional<Conserved> conserved = {};  ///< at the start; nothing: this is the start
  bool playing = true;
  std::string program = {};  ///< that had it last
  std::string gpu = {};  ///< whose peak rate was measured last; or empty
  double tflops = 0;  ///< its peak rate
};

Json json(const LiveState& state);

/// Throws BadInput where \p text is no state.
LiveState stateOf(const std::string& text);

/// A request of a viewer to a run.
struct LiveOrder {
  enum class Kind { play, pause, step, reset, set };

  Kind kind;
  Json knobs = {};  ///< of set: an object, its members not checked
};

/// Throws BadInput: "what: why", where \p text is none.
LiveOrder orderOf(const std::string& text);

/// The text for \p viewer (0: for all) whose order was refused: "what: why".
Json refusal(const std::string& refused, long long viewer);

}  // namespace nbody
