#include "program/options.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <iostream>
#include <limits>
#include <optional>

#include "program/bad_input.hpp"
#include "program/file_options.hpp"

namespace nbody {

namespace {

/// \p text as a number of type T, all of it; nothing where it is not one or does not fit.
template <class T>
std::optional<T> parse(const std::string& text) {
  T value;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// A check that \p text is a whole number between \p least and \p most, with the reason for the
/// bounds.
CLI::Validator wholeNumber(long long least, long long most, const std::string& why = "") {
  return {[=](const std::string& text) -> std::string {
            auto value = parse<long long>(text);
            if (value && *value >= least && *value <= most) return "";
            return "must be a whole number from " + std::to_string(least) + " to " +
                   std::to_string(most) + ", not '" + text + "'" + why;
          },
          ""};
}

CLI::Validator positiveNumber(const std::string& why) {
  return {[=](const std::string& text) -> std::string {
            auto value = parse<double>(text);
            if (value && std::isfinite(*value) && *value > 0) return "";
            return "must be a number above 0, not '" + text + "'" + why;
          },
          ""};
}

CLI::Validator oneOf(const Parameter& parameter) {
  return {[=](const std::string& text) -> std::string {
            auto value = parse<int>(text);
            const std::vector<int>& allowed = parameter.allowed;
            if (value && std::find(allowed.begin(), allowed.end(), *value) != allowed.end())
              return "";
            return "must be " + parameter.rule + ", not '" + text + "'";
          },
          ""};
}

std::string sceneList() {
  std::string list = "initial conditions:";
  for (const Scene& scene : scenes()) list += "\n  " + scene.name + ": " + scene.description;
  return list;
}

std::string oneLine(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

}  // namespace

RunOptions parseOptions(int argc,
                        char** argv,
                        const std::string& programName,
                        const Parameters& parameters,
                        SofteningRange softeningRange,
                        bool& helpShown) {
  constexpr int kMostSteps = std::numeric_limits<int>::max();
  constexpr int kMostRepeats = 1'000'000;
  RunOptions options;
  options.parameters = parameters;
  std::string sceneName = "plummer";

  CLI::App app("Computes, times and checks the gravitational forces between N bodies.",
               programName);
  auto* bodies = app.add_option("--bodies", options.bodies, "number of bodies, N [16384]")
                     ->type_name("N")
                     ->check(wholeNumber(1, kMaxBodies));
  app.add_option("--steps", options.steps, "leapfrog steps to run [10]")
      ->type_name("COUNT")
      ->check(wholeNumber(0, kMostSteps));
  auto* timeStep = app.add_option("--dt",
                                  options.timeStep,
                                  "length of a step, in the scene's unit of time [the scene's]")
                       ->type_name("TIME")
                       ->check(positiveNumber(": time runs forwards"));
  auto* softening =
      app.add_option("--softening",
                     options.softening,
                     "softening length epsilon, in the scene's unit of length [the scene's]")
          ->type_name("LENGTH")
          ->check(positiveNumber(": without softening the force of a body on itself is 0/0 (GPU "
                                 "Gems 3, section 31.2)"));
  auto* scene =
      app.add_option("--scene", sceneName, sceneList() + "\n  [plummer]")->type_name("NAME");
  auto* seed = app.add_option("--seed", options.seed, "seed of the random numbers of the scene [1]")
                   ->type_name("NUMBER")
                   ->check(wholeNumber(0, std::numeric_limits<long long>::max()));
  addFileOptions(app, options);
  app.add_option("--repeats", options.repeats, "timed force evaluations [20]")
      ->type_name("COUNT")
      ->check(wholeNumber(1, kMostRepeats));
  app.add_option("--json", options.json, "write the figures to FILE")
      ->type_name("FILE")
      ->check([](const std::string& name) { return name.empty() ? "the name is empty" : ""; });
  app.add_flag("--graph,!--no-graph",
               options.graph,
               "on a GPU, launch a step's kernels as one CUDA graph [on]; --no-graph one by one");
  app.add_flag("--check,!--no-check",
               options.check,
               "compare the forces with an FP64 direct sum [on]; --no-check leaves it out");
  app.add_flag("--measure,!--no-measure",
               options.measure,
               "time the forces and, on a GPU, probe its FMA ceiling [on]; --no-measure only\n"
               "  computes and checks, for compute-sanitizer and debuggers");
  for (Parameter& parameter : options.parameters)
    app.add_option("--" + parameter.name,
                   parameter.value,
                   parameter.help + ": " + parameter.rule + " [" +
                       (parameter.value == 0 ? "chosen from N and the device"
                                             : std::to_string(parameter.value)) +
                       "]")
        ->type_name("N")
        ->check(oneOf(parameter));

  helpShown = false;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    helpShown = true;
    return options;
  } catch (const CLI::ParseError& error) {
    throw BadInput(oneLine(error.what()));
  }

  for (const CLI::Option* other : {scene, bodies, seed})
    if (!options.input.empty() && other->count() > 0)
      throw BadInput("--input and " + other->get_name() +
                     ": the file's bodies are taken as they are");
  options.softeningGiven = softening->count() > 0;
  options.scene = &sceneNamed(sceneName);
  if (int fixed = options.scene->fixedCount) {
    if (bodies->count() > 0 && options.bodies != fixed)
      throw BadInput("--bodies: scene " + sceneName + " has " + std::to_string(fixed) +
                     " bodies, not " + std::to_string(options.bodies));
    options.bodies = fixed;
  }
  if (options.input.empty()) options.parameters = options.parameters.chosenFor(options.bodies);
  if (timeStep->count() == 0) options.timeStep = options.scene->timeStep;
  if (softening->count() == 0) options.softening = options.scene->softening;
  if (!(options.softening >= softeningRange.least && options.softening <= softeningRange.most)) {
    char range[64];
    std::snprintf(range, sizeof range, "%g to %g", softeningRange.least, softeningRange.most);
    throw BadInput("--softening: must be from " + std::string(range) +
                   ", so that its square and the cube of its inverse fit this precision");
  }
  return options;
}

}  // namespace nbody
