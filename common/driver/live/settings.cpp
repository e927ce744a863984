#include "driver/live/settings.hpp"

#include <algorithm>

#include "base/bad_input.hpp"
#include "base/text.hpp"

namespace nbody {

namespace {

constexpr int kMostOnGpu = 1 << 20;
constexpr int kMostOnHost = 1 << 16;  // all pairs in a second or two

const std::pair<LiveColour, const char*> kColours[] = {{LiveColour::galaxy, "galaxy"},
                                                       {LiveColour::speed, "speed"},
                                                       {LiveColour::acceleration, "acceleration"}};

}  // namespace

LiveSettings givenSettings(const RunOptions& options, const Program& program) {
  LiveSettings settings = {.scene = options.scene,
                           .bodies = options.bodies,
                           .seed = options.seed,
                           .timeStep = options.timeStep,
                           .softening = options.softening,
                           .stepOptions = {}};
  const auto defaults = program.options();
  const std::vector<Option> given = options.stepOptions->list(), plain = defaults->list();
  for (std::size_t k = 0; k < given.size(); ++k)
    if (textOf(given[k]) != textOf(plain[k]))
      settings.stepOptions[given[k].name] = textOf(given[k]);
  return settings;
}

LiveLimits liveLimits(const Device& device) {
  constexpr SofteningRange kSoftening = {1e-6, 1e3};
  return {device.kind == "gpu" ? kMostOnGpu : kMostOnHost, kSoftening};
}

void checkLimits(const LiveSettings& settings, const LiveLimits& limits) {
  if (settings.count() > limits.bodies)
    throw BadInput(
        formatted("bodies: %d are too many for it, %d the most", settings.count(), limits.bodies));
}

std::unique_ptr<StepOptions> stepOptionsOf(const LiveSettings& settings, const Program& program) {
  auto options = program.options();
  for (const Option& option : options->list())
    if (const auto set = settings.stepOptions.find(option.name); set != settings.stepOptions.end())
      option.read(set->second);  // what another step allows, this one may not: then its default
  return options;
}

LiveColour colourNamed(const Json& value) {
  for (const auto& [colour, name] : kColours)
    if (value == name) return colour;
  throw BadInput("colour: must be galaxy, speed or acceleration");
}

const char* nameOf(LiveColour colour) {
  return std::find_if(std::begin(kColours),
                      std::end(kColours),
                      [=](const auto& pair) { return pair.first == colour; })
      ->second;
}

}  // namespace nbody
