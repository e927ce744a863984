#include "driver/report.hpp"

#include <cstdio>

#include "driver/report_figures.hpp"

namespace nbody {

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
    std::printf("%-18s not shown: times on the CPU executor say nothing about a GPU\n", "speed");
}

void printTiming(const char* label, const Timing& timing) {
  std::printf("%-18s %s\n", label, textOf(timing).c_str());
}

void printError(const ForceError& error) {
  std::printf("%-18s %s\n", "force error", textOf(error).c_str());
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
  printDevice(result.device);
  for (const Figure& figure : figuresOf(options, result))
    std::printf("%-18s %s\n", figure.label.c_str(), figure.text.c_str());
}

std::string jsonReport(const RunOptions& options, const RunResult& result) {
  Json run = {{"step", result.step},
              {"scene", options.sceneName()},
              {"bodies", options.bodies},
              {"precision", result.precision},
              {"seed", options.seed},
              {"softening", options.softening},
              {"time_step", options.timeStep},
              {"steps", options.steps},
              {"parameters", Json::object()}};
  if (result.input) run.erase("seed");  // nothing was drawn
  for (const Option& option : options.stepOptions->list())
    if (const auto value = option.value())
      std::visit([&](const auto& v) { run["parameters"][jsonName(option.name)] = v; }, *value);
  for (const Figure& figure : figuresOf(options, result)) run.merge_patch(figure.json);
  if (result.globalBytesRead) run["global_bytes_read"] = *result.globalBytesRead;
  if (!result.passed) {
    run["failure"] = result.error->failure;
    if (!result.error->hint.empty()) run["hint"] = result.error->hint;
  }
  return jsonDocument(result.device, Json::array({run}));
}

}  // namespace nbody
