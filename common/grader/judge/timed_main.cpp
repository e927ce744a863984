// Times one submission. Built for each step as NN_name_judge_timed (judge.cmake).
#include <cstdio>

#include "base/output_file.hpp"
#include "bodies/scenes.hpp"
#include "cuda/cuda.hpp"
#include "driver/command_line.hpp"
#include "driver/failures.hpp"
#include "driver/report_json.hpp"
#include "driver/simulation.hpp"
#include "driver/validation.hpp"
#include "grader/judge/timed_runs.hpp"
#include "measure/device.hpp"
#include "measure/timing.hpp"

namespace nbody {

namespace {

constexpr const char* kName = NBODY_STEP_NAME "_judge_timed";
constexpr double kSoftening = 0.01;

struct TimedOptions {
  int bodies = 65536;
  std::uint64_t seed = 1;
  int runs = 7;
  std::string json;
};

bool parseOptions(int argc, char** argv, TimedOptions& options) {
  CLI::App app("Times the forces of fresh random bodies, each evaluation of others.", kName);
  app.add_option("--bodies", options.bodies, "number of bodies (default: 65536)")
      ->check(wholeNumber(1, kMaxBodies));
  app.add_option("--seed", options.seed, "seed of the first bodies (default: 1)")
      ->check(wholeNumber(0, std::numeric_limits<int>::max()));
  app.add_option("--runs", options.runs, "timed evaluations (default: 7)")
      ->check(wholeNumber(1, 1000));
  app.add_option("--json", options.json, "write the times to FILE")->required();
  return parsed(app, argc, argv);
}

Json json(const TimedRun& run) {
  Json entry = {{"seed", run.seed}, {"force_ms", run.ms}, {"passed", run.passed}};
  if (!run.passed) entry["failure"] = run.failure;
  return entry;
}

int runTimed(const TimedOptions& options) {
  const Device device = probeDevice(true);
  const std::unique_ptr<StepOptions> stepOptions = makeStepOptions();
  stepOptions->resolve(workloadOf(makeCube(options.bodies, options.seed), multiprocessors()));
  auto simulation = makeStepSimulation(options.bodies, kSoftening, *stepOptions);
  const TimedRunTools tools = {
      .bodies = [&](std::uint64_t seed) { return makeCube(options.bodies, seed); },
      .synchronizeAll = [] { CUDA_CHECK(cudaDeviceSynchronize()); },
      .nowMs = nowMs,
      .check =
          [&](Simulation& s) {
            return checkForces(s, kSoftening, 0x1p-24, stepOptions->errorBound());
          }};
  std::vector<std::uint64_t> seeds;
  for (int k = 0; k < options.runs; ++k) seeds.push_back(options.seed + k);
  Json runs = Json::array();
  for (const TimedRun& run : timedRuns(*simulation, seeds, tools, kWarmUpMs))
    runs.push_back(json(run));
  writeWhole(options.json, jsonDocument(device, std::move(runs)));
  return 0;
}

}  // namespace

}  // namespace nbody

int main(int argc, char** argv) {
  using namespace nbody;
  return reportingFailures(kName, [&] {
    TimedOptions options;
    return parseOptions(argc, argv, options) ? runTimed(options) : 0;
  });
}
