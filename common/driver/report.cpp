#include "driver/report.hpp"

#include <cstdio>

#include "driver/report_json.hpp"

namespace nbody {

FlopConvention flopConvention(const std::string& precision) {
  if (precision == "fp64") return {30, "the chapter's sample in double precision"};
  return {20, "GPU Gems 3"};
}

void printTiming(const char* label, const Timing& timing) {
  std::printf("%-18s %.4g ms (median of %d; %.4g to %.4g)\n",
              label,
              timing.median,
              timing.repeats,
              timing.min,
              timing.max);
}

void printError(const ForceError& error) {
  std::printf("%-18s median %.2g, 99th percentile %.2g, max %.2g (%d bodies against FP64)\n",
              "force error",
              error.median,
              error.p99,
              error.max,
              error.sampled);
}

namespace {

/// Rates that follow from the time of one force evaluation.
struct Rates {
  double interactionsPerSecond;
  double gflops;
  double fmaShare;  ///< of the measured ceiling; 0 where there is none
};

Rates ratesOf(const RunOptions& options, const RunResult& result) {
  Rates rates;
  const double all = static_cast<double>(options.bodies) * options.bodies;
  const double seconds = result.force->median * 1e-3;
  rates.interactionsPerSecond = (result.parts ? result.parts->interactions : all) / seconds;
  const double flop =
      result.parts ? result.parts->flop : all * flopConvention(result.precision).flop;
  rates.gflops = flop / seconds * 1e-9;
  // The probe measures the FP32 lanes; it is no ceiling for FP64.
  double ceiling = result.precision == "fp32" ? result.device.fma.tflops * 1e3 : 0;
  rates.fmaShare = ceiling > 0 ? rates.gflops / ceiling : 0;
  return rates;
}

std::string jsonName(std::string option) {
  for (char& c : option)
    if (c == '-' || c == ' ') c = '_';
  return option;
}

Json json(const RunOptions& options, const RunResult& result) {
  Json run = {{"step", result.step},
              {"scene", options.sceneName()},
              {"bodies", options.bodies},
              {"precision", result.precision},
              {"seed", options.seed},
              {"softening", options.softening},
              {"time_step", options.timeStep},
              {"steps", options.steps},
              {"parameters", Json::object()}};
  if (result.input) {
    run.erase("seed");  // nothing was drawn
    run["input"] = {
        {"file", options.input}, {"format", result.input->format}, {"time", result.input->time}};
  }
  if (!options.output.empty()) run["output"] = {{"file", options.output}, {"time", result.endTime}};
  for (const Option& option : options.stepOptions->list())
    if (const auto value = option.value())
      std::visit([&](const auto& v) { run["parameters"][jsonName(option.name)] = v; }, *value);
  if (result.force) {
    const Rates rates = ratesOf(options, result);
    run["force_ms"] = json(*result.force);
    if (result.wholeStep) run["step_ms"] = json(*result.wholeStep);
    run["interactions_per_s"] = rates.interactionsPerSecond;
    if (!result.parts) run["flop_per_interaction"] = flopConvention(result.precision).flop;
    run["gflops"] = rates.gflops;
    if (rates.fmaShare > 0) run["fma_share"] = rates.fmaShare;
  }
  if (result.parts) {
    for (const Metric& part : result.parts->ms) run["parts_ms"][jsonName(part.name)] = part.value;
    for (const Metric& fact : result.parts->facts) run["facts"][jsonName(fact.name)] = fact.value;
  }
  if (result.error) run["error"] = json(*result.error);
  if (result.momentumDrift) run["momentum"] = *result.momentumDrift;
  if (result.energyDrift) run["energy_drift"] = *result.energyDrift;
  run["checked"] = options.check;
  run["passed"] = result.passed;
  if (result.globalBytesRead) run["global_bytes_read"] = *result.globalBytesRead;
  if (!result.passed) {
    run["failure"] = result.error->failure;
    if (!result.error->hint.empty()) run["hint"] = result.error->hint;
  }
  return run;
}

void printSpeed(const RunOptions& options, const RunResult& result) {
  const Rates rates = ratesOf(options, result);
  printTiming("force evaluation", *result.force);
  if (result.wholeStep) printTiming("leapfrog step", *result.wholeStep);
  std::printf("%-18s %.4g\n", "interactions/s", rates.interactionsPerSecond);
  const FlopConvention convention = flopConvention(result.precision);
  if (result.parts)
    std::printf("%-18s %.1f, %s\n", "GFLOP/s", rates.gflops, result.parts->convention.c_str());
  else
    std::printf("%-18s %.1f, at the %d FLOP per interaction of %s\n",
                "GFLOP/s",
                rates.gflops,
                convention.flop,
                convention.source.c_str());
  if (rates.fmaShare > 0)
    std::printf("%-18s %.1f%% of the measured %.1f TFLOP/s\n",
                "FMA ceiling",
                100 * rates.fmaShare,
                result.device.fma.tflops);
}

void printFiles(const RunOptions& options, const RunResult& result) {
  if (result.input)
    std::printf("%-18s %s: %s, time %g\n",
                "input",
                options.input.c_str(),
                result.input->format.c_str(),
                result.input->time);
  if (!options.output.empty())
    std::printf("%-18s %s, time %g\n", "output", options.output.c_str(), result.endTime);
}

void printPhases(const PhaseTimes& parts) {
  for (const Metric& part : parts.ms)
    std::printf("  %-16s %.4g ms\n", part.name.c_str(), part.value);
  for (const Metric& fact : parts.facts) std::printf("%-18s %.4g\n", fact.name.c_str(), fact.value);
}

}  // namespace

std::optional<double> interactionsPerSecond(const RunOptions& options, const RunResult& result) {
  if (!result.force) return std::nullopt;
  return ratesOf(options, result).interactionsPerSecond;
}

void printDevice(const Device& device) {
  if (device.kind == "gpu") {
    std::printf("%-18s %s, compute capability %s, driver %s, CUDA %s\n",
                "device",
                device.name.c_str(),
                device.computeCapability.c_str(),
                device.driver.c_str(),
                device.cuda.c_str());
    if (device.fma.tflops == 0) return;
    std::printf("%-18s %.1f TFLOP/s at %.2f GHz: %.0f%% of 2 x %d lanes x %d SMs x clock\n",
                "FMA probe",
                device.fma.tflops,
                device.fma.smClockGhz,
                100 * device.fma.share,
                device.lanesPerMultiprocessor,
                device.multiprocessors);
    return;
  }
  std::printf("%-18s %s\n", "device", device.name.c_str());
  if (device.kind == "executor")
    std::printf("%-18s none: the CPU executor checks kernels, its times say nothing of a GPU\n",
                "speed");
}

void printReport(const RunOptions& options, const RunResult& result) {
  std::printf("%s: %d bodies, %s %s, %s, softening %g",
              result.step.c_str(),
              options.bodies,
              result.input ? "file" : "scene",
              options.sceneName().c_str(),
              result.precision.c_str(),
              options.softening);
  for (const Option& option : options.stepOptions->list())
    std::printf(", %s %s", option.name.c_str(), textOf(option).c_str());
  std::printf("\n");
  printFiles(options, result);
  printDevice(result.device);
  if (result.force) printSpeed(options, result);
  if (result.parts) printPhases(*result.parts);
  if (result.error) printError(*result.error);
  if (result.momentumDrift)
    std::printf("%-18s momentum %.2g, energy ", "drift", *result.momentumDrift);
  if (result.energyDrift) std::printf("%.2g", *result.energyDrift);
  else if (result.momentumDrift) std::printf("not computed above 65,536 bodies");
  if (result.momentumDrift) std::printf(" (%d steps of %g)\n", options.steps, options.timeStep);
  if (!options.check) std::printf("%-18s left out\n", "check");
  else std::printf("%-18s %s\n", "check", result.passed ? "passed" : "FAILED");
}

std::string jsonReport(const RunOptions& options, const RunResult& result) {
  return jsonDocument(result.device, Json::array({json(options, result)}));
}

}  // namespace nbody
