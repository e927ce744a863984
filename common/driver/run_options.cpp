#include "driver/run_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/bad_input.hpp"
#include "base/progress.hpp"
#include "driver/command_line.hpp"

namespace nbody {

namespace {

TextCheck positiveNumber(const std::string& why) {
  return [=](const std::string& text) -> std::string {
    auto value = parse<double>(text);
    if (value && std::isfinite(*value) && *value > 0) return "";
    return "must be a number above 0, not '" + text + "'" + why;
  };
}

void addStepOption(CLI::App& app, const Option& option) {
  if (option.flag) {
    app.add_flag_callback(
        "--" + option.name, [option] { option.read("on"); }, option.help);
    return;
  }
  const auto read = [option](const std::string& text) {
    if (option.read(text)) return;
    throw CLI::ValidationError("--" + option.name,
                               "must be " + option.range + ", not '" + text + "'");
  };
  const std::string text = textOf(option);
  const std::string byDefault = text.empty() ? "automatic" : text;
  const std::size_t line = std::min(option.help.find('\n'), option.help.size());
  app.add_option_function<std::string>("--" + option.name, read,
                                       option.help.substr(0, line) + ": " + option.range +
                                           " (default: " + byDefault + ")" +
                                           option.help.substr(line))
      ->option_text("VALUE");
}

std::string sceneList() {
  std::string list = "the initial bodies:";
  for (const Scene& scene : scenes()) list += "\n  " + scene.name + ": " + scene.description;
  return list;
}

/// Adds the options of every program, which write to \p options and \p sceneName.
void addRunOptions(CLI::App& app, RunOptions& options, std::string& sceneName) {
  constexpr int kMostSteps = std::numeric_limits<int>::max();
  constexpr int kMostRepeats = 1'000'000;
  const auto add = [&](const char* name, auto& value, const std::string& help) {
    return addOption(app, name, value, help);
  };
  add("--bodies N", options.bodies, "number of bodies, N (default: 16384)")
      ->check(wholeNumber(1, kMaxBodies));
  add("--steps COUNT", options.steps, "time steps to run, with the leapfrog method (default: 10)")
      ->check(wholeNumber(0, kMostSteps));
  add("--dt TIME", options.timeStep,
      "length of a time step, in the scene's unit of time (default: the scene's)")
      ->check(positiveNumber(": time runs forwards"));
  add("--softening LENGTH", options.softening,
      "softening length, in the scene's unit of length, which keeps the force finite\n"
      "  when two bodies meet (default: the scene's)")
      ->check(positiveNumber(": without softening the force of a body on itself "
                             "is 0/0 (GPU Gems 3, section 31.2)"));
  add("--scene NAME", sceneName, sceneList() + "\n  (default: plummer)");
  add("--seed NUMBER", options.seed, "seed of the random bodies (default: 1)")
      ->check(wholeNumber(0, std::numeric_limits<long long>::max()));
  addFileOptions(app, options);
  add("--repeats COUNT", options.repeats, "how often the forces are timed (default: 20)")
      ->check(wholeNumber(1, kMostRepeats));
  add("--energy SECONDS", options.energySeconds,
      "measure the energy of the force computation for this many seconds. The numbers come\n"
      "  from the GPU driver's counter, or on a CPU from its RAPL counter (default: not\n"
      "  measured)")
      ->check(wholeNumber(1, 3600));
  app.add_flag("--graph,!--no-graph", options.graph,
               "launch the kernels of a time step as one CUDA graph; --no-graph launches them one\n"
               "  by one (default: on)");
  app.add_flag(
      "--occupancy", options.occupancy,
      "on a GPU, list the registers and the shared memory of each kernel, and how many of its\n"
      "  blocks and warps fit on a multiprocessor (default: off)");
  app.add_flag("--check,!--no-check", options.check,
               "compare the forces with a direct sum in FP64; --no-check skips this (default: on)");
  app.add_flag(
      "--measure,!--no-measure", options.measure,
      "time the forces and, on a GPU, measure the GPU's peak rate of multiply-adds;\n"
      "  --no-measure skips both, for compute-sanitizer and debuggers (default: on, but off if\n"
      "  --steps or --output asks for a result, and no --json, --repeats or --energy for times)");
  app.add_flag("--verbose", Progress::verbose,
               "print on standard error how long each part of the run takes (default: off)");
  for (const Option& option : options.stepOptions->list()) addStepOption(app, option);
  // Only for ./run live. Without a value, a message tells users about that command.
  app.add_option("--live", options.live)->expected(0, 1)->default_str("none")->group("");
}

/// Looks at options together: refuses those that exclude each other, and sets those that follow from others.
void settle(const CLI::App& app, RunOptions& options, const std::string& sceneName,
            SofteningRange softeningRange) {
  for (const char* other : {"--scene", "--bodies", "--seed"})
    if (!options.input.empty() && app.count(other) > 0)
      throw BadInput(std::string("--input and ") + other +
                     ": choose one; the file already has the bodies");
  const bool asked = app.count("--measure") + app.count("--energy") + app.count("--repeats") > 0 ||
                     !options.json.empty();
  options.runsForResult =
      !asked && ((app.count("--steps") > 0 && options.steps > 0) || !options.output.empty());
  if (options.runsForResult) options.measure = false;
  if (app.count("--energy") > 0 && !options.measure)
    throw BadInput(
        "--energy and --no-measure: choose one; energy is measured while forces are timed");
  options.softeningGiven = app.count("--softening") > 0;
  options.scene = &sceneNamed(sceneName);
  if (int fixed = options.scene->fixedCount) {
    if (app.count("--bodies") > 0 && options.bodies != fixed)
      throw BadInput("--bodies: scene " + sceneName + " has " + std::to_string(fixed) +
                     " bodies, not " + std::to_string(options.bodies));
    options.bodies = fixed;
  }
  if (app.count("--dt") == 0) options.timeStep = options.scene->timeStep;
  if (app.count("--softening") == 0) options.softening = options.scene->softening;
  if (!(options.softening >= softeningRange.least && options.softening <= softeningRange.most)) {
    throw BadInput(formatted("--softening: must be from %g to %g in this precision",
                             softeningRange.least, softeningRange.most));
  }
}

}  // namespace

std::optional<RunOptions> parseOptions(int argc, char** argv, const std::string& programName,
                                       std::unique_ptr<StepOptions> stepOptions,
                                       SofteningRange softeningRange) {
  RunOptions options;
  options.stepOptions = std::move(stepOptions);
  std::string sceneName = "plummer";
  CLI::App app("Computes, times and checks the gravitational forces between N bodies.",
               programName);
  addRunOptions(app, options, sceneName);
  if (!parsed(app, argc, argv)) return std::nullopt;
  settle(app, options, sceneName, softeningRange);
  return options;
}

std::string RunOptions::sceneName() const {
  return input.empty() ? scene->name : std::filesystem::path(input).filename().string();
}

}  // namespace nbody
