// Times one submission. Built for each step as NN_name_judge_timed (judge.cmake). speed.py calls it.
#include <cstdlib>
#include <string>

#include "base/bad_input.hpp"
#include "base/output_file.hpp"
#include "bodies/scenes.hpp"
#include "cuda/cuda.hpp"
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

Json json(const TimedRun& run) {
  Json entry = {{"seed", run.seed}, {"force_ms", run.ms}, {"passed", run.passed}};
  if (!run.passed) entry["failure"] = run.failure;
  return entry;
}

/// Writes the times of fresh random bodies, each evaluation of others, into a file.
int runTimed(int bodies, std::uint64_t firstSeed, int count, const std::string& file) {
  const Device device = probeDevice(true);
  const std::unique_ptr<StepOptions> stepOptions = makeStepOptions();
  stepOptions->resolve(workloadOf(makeCube(bodies, firstSeed), multiprocessors()));
  auto simulation = makeStepSimulation(bodies, kSoftening, *stepOptions);
  const TimedRunTools tools = {.bodies = [&](std::uint64_t seed) { return makeCube(bodies, seed); },
                               .synchronizeAll = [] { CUDA_CHECK(cudaDeviceSynchronize()); },
                               .nowMs = nowMs,
                               .check =
                                   [&](Simulation& s) {
                                     return checkForces(s, kSoftening, 0x1p-24,
                                                        stepOptions->errorBound());
                                   }};
  std::vector<std::uint64_t> seeds;
  for (int k = 0; k < count; ++k) seeds.push_back(firstSeed + k);
  Json runs = Json::array();
  for (const TimedRun& run : timedRuns(*simulation, seeds, tools, kWarmUpMs))
    runs.push_back(json(run));
  writeWhole(file, jsonDocument(device, std::move(runs)));
  return 0;
}

}  // namespace

}  // namespace nbody

int main(int argc, char** argv) {
  using namespace nbody;
  return reportingFailures(kName, [&] {
    if (argc != 5)
      throw BadInput("takes a number of bodies, the first seed, a number of runs, a file");
    return runTimed(std::atoi(argv[1]), std::strtoull(argv[2], nullptr, 10), std::atoi(argv[3]),
                    argv[4]);
  });
}
