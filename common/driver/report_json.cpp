#include "driver/report_json.hpp"

#include "base/text.hpp"

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
  for (std::size_t k = 0; k < error.exceeded.size(); ++k)
    json["exceeded_by"][formatted("%g", kExceeding[k])] = error.exceeded[k];
  return json;
}

std::string jsonDocument(const Device& device, Json runs) {
  const Json document = {{"suite", {{"commit", kSuiteCommit}, {"preset", kSuitePreset}}},
                         {"device", json(device)},
                         {"runs", std::move(runs)}};
  // A file's name need not be UTF-8, as JSON is.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace nbody
