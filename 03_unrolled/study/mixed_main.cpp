// The program 03_mixed: its options, its report and its JSON.
#include <cstdio>

#include "03_unrolled/study/mixed.hpp"
#include "base/progress.hpp"
#include "bodies/scenes.hpp"
#include "driver/study_program.hpp"

namespace nbody::inline NBODY_PRECISION::unrolled {

namespace {

constexpr const char* kName = "03_mixed";

#ifdef NBODY_GPU
constexpr int kBodyCount = 65536;
#else
constexpr int kBodyCount = 2048;  // takes a few seconds on the executor
#endif

int runMixed(int argc, char** argv) {
  StudyProgram program(
      kName, "Computes and times step 03 with positions and sums in several precisions.", 7);
  int count = kBodyCount;
  std::string sceneName = "plummer";
  program.option("--bodies N",
                 count,
                 "number of bodies (default: " + std::to_string(count) + ")",
                 wholeNumber(1, 1 << 22));
  program.option("--scene NAME",
                 sceneName,
                 "the initial bodies; 01_naive --help lists all (default: plummer)");
  if (!program.parse(argc, argv, "bodies")) return 0;
  const Scene& scene = sceneNamed(sceneName);
  if (scene.fixedCount) count = scene.fixedCount;
  const Device device = probeDevice(true);
  printDevice(device);
  const Bodies bodies = scene.make(count, program.seed);
  Json runs = Json::array();
  std::string failure;
  Progress progress("forces of seven kinds");
  for (const MixedRun& run : studyMixed(bodies, scene.softening, program.repeats)) {
    std::printf("%-6s positions, %-11s sums  error median %.2e, 99th percentile %.2e, max %.2e",
                run.positions.c_str(),
                run.sums.c_str(),
                run.error.median,
                run.error.p99,
                run.error.max);
    Json entry = {{"step", kName},
                  {"scene", scene.name},
                  {"bodies", count},
                  {"softening", scene.softening},
                  {"parameters", {{"positions", run.positions}, {"sums", run.sums}}},
                  {"error", json(run.error)},
                  {"passed", run.error.passed}};
    if (run.time) {
      entry["force_ms"] = json(*run.time);
      std::printf("  %.4g ms", run.time->median);
    }
    std::printf("\n");
    runs.push_back(entry);
    if (!run.error.passed)
      failure = run.positions + " positions, " + run.sums + " sums: " + run.error.failure;
  }
  return program.end(device, std::move(runs), failure);
}

}  // namespace

}  // namespace nbody::inline NBODY_PRECISION::unrolled

int main(int argc, char** argv) {
  return nbody::reportingFailures(nbody::unrolled::kName,
                                  [&] { return nbody::unrolled::runMixed(argc, argv); });
}
