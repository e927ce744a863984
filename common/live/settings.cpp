#include "live/settings.hpp"

#include <cmath>
#include <limits>

#include "base/bad_input.hpp"
#include "base/text.hpp"

namespace nbody {

namespace {

constexpr int kMostOnGpu = 1 << 20;
constexpr int kMostOnHost = 1 << 16;  // all pairs in one or two seconds

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

int mostBodies(const Device& device) { return device.kind == "gpu" ? kMostOnGpu : kMostOnHost; }

void checkBodies(const LiveSettings& settings, int most) {
  if (settings.count() > most)
    throw BadInput(formatted("bodies: %d are too many for it; at most %d", settings.count(), most));
}

std::unique_ptr<StepOptions> stepOptionsOf(const LiveSettings& settings, const Program& program) {
  auto options = program.options();
  for (const Option& option : options->list())
    if (const auto set = settings.stepOptions.find(option.name); set != settings.stepOptions.end())
      option.read(set->second);  // keeps the default if another step has this value
  return options;
}

Json json(const LiveState& state) {
  const LiveSettings& settings = state.settings;
  const Conserved conserved = state.conserved.value_or(Conserved());
  const Double4& p = conserved.momentum;
  Json potential = nullptr;  // null with too many bodies to compute it
  if (!std::isnan(conserved.potential)) potential = conserved.potential;
  return {{"scene", settings.scene->name},
          {"bodies", settings.bodies},
          {"seed", settings.seed},
          {"dt", settings.timeStep},
          {"softening", settings.softening},
          {"stepOptions", settings.stepOptions},
          {"colour", settings.colour},
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
                       .colour = json.at("colour"),
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

// Checks a page's orders, and makes its data for drawing the settings.

namespace {

constexpr int kMostStepsPerFrame = 10000;
constexpr double kLeastTimeStep = 1e-9, kMostTimeStep = 1e3;
constexpr double kLeastSoftening = 1e-6, kMostSoftening = 1e3;
constexpr long long kMostSeed = std::numeric_limits<long long>::max();

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw BadInput(name + ": " + why);
}

long long wholeNumber(const std::string& name, const Json& value, long long least, long long most) {
  const bool fits = value.is_number_integer() &&
                    !(value.is_number_unsigned() && value.get<std::uint64_t>() > kMostSeed);
  const long long number = fits ? value.get<long long>() : 0;
  if (!fits || number < least || number > most)
    refuse(name, formatted("must be a whole number from %lld to %lld", least, most));
  return number;
}

double realNumber(const std::string& name, const Json& value, double least, double most) {
  const double number = value.is_number() ? value.get<double>() : std::nan("");
  if (!(number >= least && number <= most))
    refuse(name, formatted("must be a number from %g to %g", least, most));
  return number;
}

/// Returns the value as text for the command line.
std::string optionText(const std::string& name, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  if (value.is_number_integer()) return value.dump();
  if (value.is_number()) return formatted("%.17g", value.get<double>());
  refuse(name, "must be a number or a word");
}

void setStepOption(LiveSettings& settings, const std::string& name, const Json& value,
                   const Program& program) {
  const auto options = program.options();
  for (const Option& option : options->list()) {
    if (option.name != name) continue;
    const std::string text = optionText(name, value);
    if (!option.read(text)) refuse(name, "must be " + option.range);
    settings.stepOptions[name] = text;
    return;
  }
  refuse(oneLine(name.substr(0, 40)), "there is no such setting");
}

void setOne(LiveSettings& settings, const std::string& name, const Json& value, int mostBodies,
            const Program& program) {
  if (name == "scene") return;  // was set before the others
  if (name == "bodies") {
    settings.bodies = wholeNumber(name, value, 1, mostBodies);
    if (const int fixed = settings.scene->fixedCount; fixed > 0 && fixed != settings.bodies)
      refuse(name, formatted("scene %s has %d", settings.scene->name.c_str(), fixed));
  } else if (name == "seed") {
    settings.seed = wholeNumber(name, value, 0, kMostSeed);
  } else if (name == "dt") {
    settings.timeStep = realNumber(name, value, kLeastTimeStep, kMostTimeStep);
  } else if (name == "softening") {
    settings.softening = realNumber(name, value, kLeastSoftening, kMostSoftening);
  } else if (name == "colour") {
    if (value != "galaxy" && value != "speed" && value != "acceleration")
      refuse(name, "must be galaxy, speed or acceleration");
    settings.colour = value;
  } else if (name == "stepsPerFrame") {
    settings.stepsPerFrame = wholeNumber(name, value, 0, kMostStepsPerFrame);
  } else {
    setStepOption(settings, name, value, program);
  }
}

Json numberRow(const char* name, const char* kind, const Json& least, const Json& most,
               const Json& value, bool restarts) {
  return {{"name", name}, {"kind", kind},   {"min", least},
          {"max", most},  {"value", value}, {"restarts", restarts}};
}

Json rowOf(const Option& option) {
  Json row = {{"name", option.name}, {"help", option.help}, {"restarts", false}};
  const auto value = option.value();
  if (value && std::holds_alternative<double>(*value)) {
    row["kind"] = "real";
    row["min"] = *parse<double>(option.values.front());
    row["max"] = *parse<double>(option.values.back());
    row["value"] = std::get<double>(*value);
  } else {
    row["kind"] = "choice";
    row["choices"] = option.values;
    row["value"] = value ? Json(textOf(option)) : Json(nullptr);
  }
  return row;
}

}  // namespace

Json rowsOf(const LiveSettings& settings, int mostBodies, StepOptions& resolved) {
  Json rows = {
      numberRow("bodies", "int", 1, mostBodies, settings.count(), true),
      numberRow("seed", "int", 0, (1LL << 53) - 1, settings.seed, true),
      numberRow("dt", "real", kLeastTimeStep, kMostTimeStep, settings.timeStep, false),
      numberRow("softening", "real", kLeastSoftening, kMostSoftening, settings.softening, false)};
  for (const Option& option : resolved.list()) rows.push_back(rowOf(option));
  return rows;
}

LiveSettings changed(LiveSettings settings, const Json& set, int mostBodies,
                     const Program& program) {
  if (!set.is_object() || set.empty()) throw BadInput("set: must be an object of settings");
  if (const auto scene = set.find("scene"); scene != set.end()) {
    if (!scene->is_string()) refuse("scene", "must be a name");
    try {
      settings.scene = &sceneNamed(scene->get<std::string>().substr(0, 40));
    } catch (const BadInput& error) {
      refuse("scene", error.what());
    }
    settings.timeStep = settings.scene->timeStep;
    settings.softening = settings.scene->softening;
  }
  for (const auto& [name, value] : set.items()) setOne(settings, name, value, mostBodies, program);
  checkBodies(settings, mostBodies);
  return settings;
}

Json orderOf(const std::string& text) {
  Json order = Json::parse(text, nullptr, false);
  if (!order.is_object() || order.size() != 1)
    throw BadInput("message: must be JSON, an object with one of do, set and climb");
  const Json& value = order.front();
  if (order.contains("do") && value != "play" && value != "pause" && value != "step" &&
      value != "reset")
    refuse("do", "must be play, pause, step or reset");
  if (!order.contains("do") && !order.contains("set"))
    refuse("message", "needs one of do, set and climb");
  return order;
}

Json refusal(const std::string& refused, long long viewer) {
  const std::size_t colon = refused.find(": ");
  const bool named = colon != refused.npos;
  return {{"type", "refused"},
          {"viewer", viewer},
          {"what", named ? refused.substr(0, colon) : "run"},
          {"why", oneLine(named ? refused.substr(colon + 2) : refused)}};
}

}  // namespace nbody
