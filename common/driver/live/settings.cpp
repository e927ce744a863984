#include "driver/live/settings.hpp"

#include <algorithm>
#include <cmath>

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
  return std::find_if(std::begin(kColours), std::end(kColours),
                      [=](const auto& pair) { return pair.first == colour; })
      ->second;
}

Json json(const LiveState& state) {
  const LiveSettings& settings = state.settings;
  const Conserved conserved = state.conserved.value_or(Conserved());
  const Double4& p = conserved.momentum;
  Json potential = nullptr;  // of so many bodies that it is not computed
  if (!std::isnan(conserved.potential)) potential = conserved.potential;
  return {{"scene", settings.scene->name},
          {"bodies", settings.bodies},
          {"seed", settings.seed},
          {"dt", settings.timeStep},
          {"softening", settings.softening},
          {"stepOptions", settings.stepOptions},
          {"colour", nameOf(settings.colour)},
          {"stepsPerFrame", settings.stepsPerFrame},
          {"time", state.moment.time},
          {"steps", state.moment.steps},
          {"kinetic", conserved.kinetic},
          {"potential", potential},
          {"momentum", {p.x, p.y, p.z}},
          {"playing", state.playing},
          {"program", state.program},
          {"gpu", state.gpu},
          {"tflops", state.tflops}};
}

LiveState stateOf(const std::string& text) try {
  const Json json = Json::parse(text);
  Conserved conserved = {};
  const Json &potential = json.at("potential"), &momentum = json.at("momentum");
  conserved.kinetic = json.at("kinetic");
  conserved.potential = potential.is_null() ? std::nan("") : potential.get<double>();
  conserved.momentum = {momentum.at(0), momentum.at(1), momentum.at(2), 0};
  return {.settings = {.scene = &sceneNamed(json.at("scene").get<std::string>()),
                       .bodies = json.at("bodies"),
                       .seed = json.at("seed"),
                       .timeStep = json.at("dt"),
                       .softening = json.at("softening"),
                       .stepOptions = json.at("stepOptions"),
                       .colour = colourNamed(json.at("colour")),
                       .stepsPerFrame = json.at("stepsPerFrame")},
          .moment = {json.at("time"), json.at("steps")},
          .conserved = conserved,
          .playing = json.at("playing"),
          .program = json.at("program"),
          .gpu = json.at("gpu"),
          .tflops = json.at("tflops")};
} catch (const Json::exception& error) {
  throw BadInput(std::string("--live: not the state of a run: ") + error.what());
}

}  // namespace nbody
