#include "driver/report.hpp"

#include <cmath>
#include <cstdio>

#include "base/text.hpp"
#include "driver/report_json.hpp"

namespace nbody {

Json json(const Timing& timing) {
  return {{"median", timing.median},
          {"min", timing.min},
          {"max", timing.max},
          {"mean", timing.mean},
          {"repeats", timing.repeats}};
}

Json json(const Device& device) {
  Json json = {{"name", device.name}, {"kind", device.kind}};
  if (device.kind == "gpu") {
    json["compute_capability"] = device.computeCapability;
    json["driver"] = device.driver;
    json["cuda"] = device.cuda;
    json["multiprocessors"] = device.multiprocessors;
  }
  if (device.fma.tflops > 0) {
    json["fma_tflops"] = device.fma.tflops;
    json["fma_clock_ghz"] = device.fma.smClockGhz;
    json["fma_share_of_theory"] = device.fma.share;
  }
  return json;
}

Json json(const Energy& energy) {
  return {{"joules", energy.joules},   {"watts", energy.watts},     {"ms", energy.ms},
          {"seconds", energy.seconds}, {"updates", energy.updates}, {"source", energy.source}};
}

Json json(const KernelLaunch& kernel) {
  return {{"name", shortName(kernel.symbol)},
          {"symbol", kernel.symbol},
          {"grid", kernel.grid},
          {"block", kernel.block},
          {"registers", kernel.registers},
          {"static_shared_bytes", kernel.staticSharedBytes},
          {"dynamic_shared_bytes", kernel.dynamicSharedBytes},
          {"local_bytes", kernel.localBytes},
          {"blocks_per_multiprocessor", kernel.blocks},
          {"warps_per_multiprocessor", kernel.warps}};
}

Json json(const ForceError& error) {
  Json json = {{"evaluation", error.evaluation},
               {"sampled", error.sampled},
               {"median", error.median},
               {"p99", error.p99},
               {"max", error.max}};
  if (error.p999) json["p99.9"] = *error.p999;
  for (std::size_t k = 0; k < error.exceeded.size(); ++k)
    json["exceeded_by"][formatted("%g", kExceeding[k])] = error.exceeded[k];
  if (!error.passed) json["share_correct"] = error.share;
  return json;
}

std::string jsonDocument(const Device& device, Json runs) {
  const Json document = {{"suite", {{"commit", kSuiteCommit}, {"preset", kSuitePreset}}},
                         {"device", json(device)},
                         {"runs", std::move(runs)}};
  // A file's name need not be UTF-8, as JSON is.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Speed speedOf(double ms, int bodies, bool single, const std::optional<PhaseTimes>& parts,
              const Device& device) {
  const bool counted = parts && parts->interactions > 0;
  const double interactions = counted ? parts->interactions : static_cast<double>(bodies) * bodies;
  const double flop = counted ? parts->flop : interactions * flopPerInteraction(single);
  Speed speed = {interactions / (ms * 1e-3), flop / (ms * 1e-3) * 1e-9, std::nullopt};
  // The probe measures the FP32 lanes; it is no ceiling for FP64.
  const double ceiling = device.fma.tflops;
  if (single && ceiling > 0) speed.fmaShare = speed.gflops / (1e3 * ceiling);
  return speed;
}

std::optional<double> interactionsPerSecond(const RunOptions& options, const RunResult& result) {
  if (!result.force) return std::nullopt;
  const bool single = result.precision == "fp32";
  return speedOf(result.force->median, options.bodies, single, result.parts, result.device)
      .interactionsPerSecond;
}

namespace {

/// A line of the report, and what JSON says in its place: members of the run.
struct Figure {
  std::string label;
  std::string text;
  Json json;
};

std::string textOf(const Timing& timing) {
  return formatted("%.4g ms (median of %d; %.4g to %.4g)", timing.median, timing.repeats,
                   timing.min, timing.max);
}

std::string textOf(const ForceError& error) {
  const std::string p999 = error.p999 ? formatted("99.9th %.2g, ", *error.p999) : "";
  return formatted("median %.2g, 99th percentile %.2g, %smax %.2g (%d bodies against FP64%s)",
                   error.median, error.p99, p999.c_str(), error.max, error.sampled,
                   error.evaluation > 1 ? ", second evaluation, like all that are timed" : "");
}

/// "tree memory" as JSON has it: tree_memory.
std::string jsonName(std::string words) {
  for (char& c : words)
    if (c == '-' || c == ' ') c = '_';
  return words;
}

void addFiles(std::vector<Figure>& figures, const RunOptions& options, const RunResult& result) {
  if (const auto& input = result.input) {
    figures.push_back(
        {"input",
         formatted("%s: %s, time %g", options.input.c_str(), input->format.c_str(), input->time),
         {{"input", {{"file", options.input}, {"format", input->format}, {"time", input->time}}}}});
    if (!input->unused.empty())
      figures.push_back({"note", input->unused, {{"input", {{"unused", input->unused}}}}});
  }
  if (!options.output.empty())
    figures.push_back({"output",
                       formatted("%s, time %g", options.output.c_str(), result.endTime),
                       {{"output", {{"file", options.output}, {"time", result.endTime}}}}});
}

void addSpeed(std::vector<Figure>& figures, const RunOptions& options, const RunResult& result) {
  const bool single = result.precision == "fp32";
  const int each = flopPerInteraction(single);
  const char* source = single ? "GPU Gems 3" : "the chapter's sample in double precision";
  const bool counted = result.parts && result.parts->interactions > 0;
  const auto [rate, gflops, share] =
      speedOf(result.force->median, options.bodies, single, result.parts, result.device);
  figures.push_back(
      {"force evaluation", textOf(*result.force), {{"force_ms", json(*result.force)}}});
  if (const auto& step = result.wholeStep)
    figures.push_back({"leapfrog step", textOf(*step), {{"step_ms", json(*step)}}});
  figures.push_back({"interactions/s", formatted("%.4g", rate), {{"interactions_per_s", rate}}});
  if (counted)
    figures.push_back({"GFLOP/s",
                       formatted("%.1f, %s", gflops, result.parts->convention.c_str()),
                       {{"gflops", gflops}}});
  else
    figures.push_back(
        {"GFLOP/s",
         formatted("%.1f, at the %d FLOP per interaction of %s", gflops, each, source),
         {{"flop_per_interaction", each}, {"gflops", gflops}}});
  if (!share) return;
  figures.push_back(
      {"FMA ceiling",
       formatted("%.1f%% of the measured %.1f TFLOP/s", 100 * *share, result.device.fma.tflops),
       {{"fma_share", *share}}});
}

void addEnergy(std::vector<Figure>& figures, const RunOptions& options, const RunResult& result) {
  if (!result.energyMissing.empty())
    figures.push_back({"energy", "not counted: " + result.energyMissing, Json::object()});
  if (!result.energy) return;
  const Energy& energy = *result.energy;
  const double interactions = *interactionsPerSecond(options, result) * result.force->median * 1e-3;
  Json entry = json(energy);
  entry["picojoules_per_interaction"] = energy.joules / interactions * 1e12;
  figures.push_back(
      {"energy",
       formatted(
           "%.4g J per evaluation, %.4g pJ per interaction, %.4g W (%s; %d changes of the counter "
           "in %.2g s)",
           energy.joules, energy.joules / interactions * 1e12, energy.watts, energy.source.c_str(),
           energy.updates, energy.seconds),
       {{"energy", entry}}});
}

void addKernels(std::vector<Figure>& figures, const RunResult& result) {
  if (result.kernels.empty()) return;
  Json all = Json::array();
  for (const KernelLaunch& kernel : result.kernels) {
    all.push_back(json(kernel));
    figures.push_back(
        {"kernel",
         formatted("%s: %d registers, %d bytes shared, %d blocks and %d warps per multiprocessor",
                   shortName(kernel.symbol).c_str(), kernel.registers,
                   kernel.staticSharedBytes + kernel.dynamicSharedBytes, kernel.blocks,
                   kernel.warps),
         Json::object()});
  }
  figures.back().json = {{"kernels", all}};
}

/// Above this difference the report says what the parts take together.
constexpr double kPartsAgree = 0.02;

/// Adds the parts of an evaluation. wholeMs: its time, 0 if it was not measured
void addPhases(std::vector<Figure>& figures, const PhaseTimes& parts, double wholeMs) {
  double sum = 0;
  for (const auto& [name, ms] : parts.ms) {
    sum += ms;
    figures.push_back(
        {"  " + name, formatted("%.4g ms", ms), {{"parts_ms", {{jsonName(name), ms}}}}});
  }
  if (sum > 0 && wholeMs > 0 && std::abs(sum - wholeMs) > kPartsAgree * wholeMs)
    figures.push_back({"  together",
                       formatted("%.4g ms; one after the other, with an event after each part, %.4g ms",
                                 wholeMs, sum),
                       Json::object()});
  for (const auto& [name, value] : parts.metrics)
    figures.push_back({name, formatted("%.4g", value), {{"metrics", {{jsonName(name), value}}}}});
  for (const auto& [name, text] : parts.settings)
    figures.push_back({name, text, {{"settings", {{jsonName(name), text}}}}});
}

/// The energy of a system that a run should keep may change by this much of itself.
constexpr double kLargeDrift = 0.1;

std::string adviceOnDrift(const RunOptions& options) {
  const std::string shorter =
      formatted("the energy is not kept: try a shorter time step than --dt %g", options.timeStep);
  if (options.input.empty()) return shorter;
  return shorter +
         ", and check the file's units: G must be 1 in them (lengths in kpc and velocities in km/s "
         "go with masses of 232,500 solar masses)";
}

void addChecks(std::vector<Figure>& figures, const RunOptions& options, const RunResult& result) {
  if (const auto& error = result.error)
    figures.push_back({"force error", textOf(*error), {{"error", json(*error)}}});
  if (const auto& error = result.errorAfterSteps)
    figures.push_back({"  after the steps", textOf(*error), {{"error_after_steps", json(*error)}}});
  if (result.momentumDrift) {
    Json drift = {{"momentum", *result.momentumDrift}};
    std::string energy = "not computed for so many bodies";
    if (result.energyDrift) {
      energy = formatted("%.2g", *result.energyDrift);
      drift["energy_drift"] = *result.energyDrift;
    }
    figures.push_back({"drift",
                       formatted("momentum %.2g, energy %s (%d steps of %g)", *result.momentumDrift,
                                 energy.c_str(), options.steps, options.timeStep),
                       drift});
  }
  if (result.energyDrift && !(*result.energyDrift <= kLargeDrift))
    figures.push_back({"advice", adviceOnDrift(options), Json::object()});
  figures.push_back({"check",
                     !options.check  ? "left out"
                     : result.passed ? "passed"
                                     : "FAILED",
                     {{"checked", options.check}, {"passed", result.passed}}});
}

/// All that \p result holds.
std::vector<Figure> figuresOf(const RunOptions& options, const RunResult& result) {
  std::vector<Figure> figures;
  addFiles(figures, options, result);
  if (result.force) addSpeed(figures, options, result);
  if (options.runsForResult && !options.measure && result.device.kind != "executor")
    figures.push_back({"speed",
                       "not measured, because --steps or --output asks for a result; --measure "
                       "times the forces too",
                       Json::object()});
  addKernels(figures, result);
  addEnergy(figures, options, result);
  if (result.parts) addPhases(figures, *result.parts, result.force ? result.force->median : 0);
  addChecks(figures, options, result);
  return figures;
}

}  // namespace

void printDevice(const Device& device) {
  if (device.kind == "gpu") {
    std::printf("%-18s %s, compute capability %s, driver %s, CUDA %s\n", "device",
                device.name.c_str(), device.computeCapability.c_str(), device.driver.c_str(),
                device.cuda.c_str());
    if (device.fma.tflops == 0) return;
    std::printf("%-18s %.1f TFLOP/s at %.2f GHz: %.0f%% of 2 x %d lanes x %d SMs x clock\n",
                "FMA probe", device.fma.tflops, device.fma.smClockGhz, 100 * device.fma.share,
                device.lanesPerMultiprocessor, device.multiprocessors);
    return;
  }
  std::printf("%-18s %s\n", "device", device.name.c_str());
  if (device.kind == "executor")
    std::printf("%-18s not shown: times on the CPU executor say nothing about a GPU\n", "speed");
}

void printTiming(const char* label, const Timing& timing) {
  std::printf("%-18s %s\n", label, textOf(timing).c_str());
}

void printError(const ForceError& error) {
  std::printf("%-18s %s\n", "force error", textOf(error).c_str());
}

void printReport(const RunOptions& options, const RunResult& result) {
  std::printf("%s: %d bodies, %s %s, %s, softening %g", result.step.c_str(), options.bodies,
              result.input ? "file" : "scene", options.sceneName().c_str(),
              result.precision.c_str(), options.softening);
  for (const Option& option : options.stepOptions->list())
    std::printf(", %s %s", option.name.c_str(), textOf(option).c_str());
  std::printf("\n");
  printDevice(result.device);
  for (const Figure& figure : figuresOf(options, result))
    std::printf("%-18s %s\n", figure.label.c_str(), figure.text.c_str());
}

std::string jsonReport(const RunOptions& options, const RunResult& result) {
  Json run = {{"step", result.step},           {"scene", options.sceneName()},
              {"bodies", options.bodies},      {"precision", result.precision},
              {"seed", options.seed},          {"softening", options.softening},
              {"time_step", options.timeStep}, {"steps", options.steps},
              {"parameters", Json::object()}};
  if (result.input) run.erase("seed");  // nothing was drawn
  for (const Option& option : options.stepOptions->list())
    if (const auto value = option.value())
      std::visit([&](const auto& v) { run["parameters"][jsonName(option.name)] = v; }, *value);
  for (const Figure& figure : figuresOf(options, result)) run.merge_patch(figure.json);
  if (result.globalBytesRead) run["global_bytes_read"] = *result.globalBytesRead;
  if (!result.passed) {
    run["failure"] = result.failed().failure;
    if (!result.failed().hint.empty()) run["hint"] = result.failed().hint;
  }
  return jsonDocument(result.device, Json::array({run}));
}

}  // namespace nbody
