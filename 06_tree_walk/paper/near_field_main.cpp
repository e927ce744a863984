// The program 06_near_field: its options, its report and its JSON.
#include <cstdio>

#include "06_tree_walk/paper/near_field.hpp"
#include "base/progress.hpp"
#include "driver/study_program.hpp"

namespace nbody::inline NBODY_PRECISION::walk {

namespace {

constexpr const char* kName = "06_near_field";
constexpr int kFlop = 20;  // FLOP of an interaction
constexpr double kSoftening = 0.01;  // in sides of a cell
// Section 31.6 predicts less than half a second: 7 million interactions per leaf, 10^10 per second.
constexpr double kChapterMs = 500;

#ifdef NBODY_GPU
constexpr int kCells = 8, kCellBodies = 512;
#else
constexpr int kCells = 4, kCellBodies = 64;  // the chapter's take the executor a minute
#endif

const char* edgeOf(const CellGrid& grid) { return grid.periodic ? "periodic" : "open"; }

/// Returns whether the chapter gives an estimate for \p grid.
bool isTheChapters(const CellGrid& grid) {
  return grid.side == 8 && grid.bodies == 512 && grid.periodic;
}

double perSecond(const CellGrid& grid, const Timing& time) {
  return grid.interactions() / (time.median * 1e-3);
}

void print(const NearFieldRun& run, const Device& device, const NearFieldResult& result) {
  const CellGrid& grid = run.grid;
  std::printf(
      "%s: %d bodies, %d leaves of %d, edge %s, fp32, softening %g, block %d, "
      "bodies-per-thread %d\n",
      kName,
      grid.count(),
      grid.cells(),
      grid.bodies,
      edgeOf(grid),
      run.softening,
      run.block,
      run.bodiesPerThread);
  printDevice(device);
  std::printf("%-18s %.4g\n", "interactions", grid.interactions());
  if (result.time) {
    const double rate = perSecond(grid, *result.time);
    printTiming("near field", *result.time);
    std::printf("%-18s %.4g\n", "interactions/s", rate);
    std::printf("%-18s %.1f, at the %d FLOP per interaction of GPU Gems 3\n",
                "GFLOP/s",
                rate * kFlop * 1e-9,
                kFlop);
  }
  if (isTheChapters(grid))
    std::printf("%-18s under %g ms on a GeForce 8800 GTX (GPU Gems 3, section 31.6)\n",
                "chapter's estimate",
                kChapterMs);
  printError(result.error);
  std::printf("%-18s %s\n", "check", result.error.passed ? "passed" : "FAILED");
}

Json json(const NearFieldRun& run, const Device& device, const NearFieldResult& result) {
  Json json = {{"step", kName},
               {"scene", "cells"},
               {"bodies", run.grid.count()},
               {"precision", "fp32"},
               {"seed", run.seed},
               {"softening", run.softening},
               {"parameters",
                {{"cells", run.grid.side},
                 {"cell_bodies", run.grid.bodies},
                 {"edge", edgeOf(run.grid)},
                 {"block", run.block},
                 {"bodies_per_thread", run.bodiesPerThread}}},
               {"interactions", run.grid.interactions()}};
  if (result.time) {
    const double rate = perSecond(run.grid, *result.time);
    json["force_ms"] = nbody::json(*result.time);
    json["interactions_per_s"] = rate;
    json["flop_per_interaction"] = kFlop;
    json["gflops"] = rate * kFlop * 1e-9;
    if (device.fma.tflops > 0) json["fma_share"] = rate * kFlop * 1e-12 / device.fma.tflops;
  }
  if (isTheChapters(run.grid)) json["chapter_ms_below"] = kChapterMs;
  json["error"] = nbody::json(result.error);
  json["checked"] = true;
  json["passed"] = result.error.passed;
  return json;
}

int runNearField(int argc, char** argv) {
  StudyProgram program(
      kName,
      "Computes all pairs in a grid of equal leaves: the near field of GPU Gems 3, section 31.6.",
      20);
  NearFieldRun run = {{kCells, kCellBodies, true}, 256, 2, kSoftening, 1};
  std::string edge = edgeOf(run.grid);
  const auto preset = [](int value) { return " (default: " + std::to_string(value) + ")"; };
  program.option("--cells N",
                 run.grid.side,
                 "cells along each edge of the grid" + preset(kCells),
                 wholeNumber(1, 32));
  program.option("--cell-bodies N",
                 run.grid.bodies,
                 "bodies per cell" + preset(kCellBodies),
                 wholeNumber(1, 4096));
  program.option("--edge WORD",
                 edge,
                 "periodic: every cell has 27 neighbours, with itself; open: the cells at the\n"
                 "  edge have fewer (default: periodic)",
                 nameAmong({"periodic", "open"}));
  program.option("--block N",
                 run.block,
                 "threads per block (default: 256)",
                 nameAmong({"32", "64", "128", "256", "512", "1024"}));
  program.option("--bodies-per-thread N",
                 run.bodiesPerThread,
                 "bodies per thread (default: 2)",
                 nameAmong({"1", "2", "4"}));
  if (!program.parse(argc, argv, "positions and masses")) return 0;
  run.grid.periodic = edge == "periodic";
  run.seed = program.seed;
  checkNearFieldMemory(run.grid);

  const Device device = probeDevice(true);
  const NearFieldResult result = [&] {
    Progress progress("near field");
    return studyNearField(run, program.repeats);
  }();
  print(run, device, result);
  return program.end(device, Json::array({json(run, device, result)}), result.error.failure);
}

}  // namespace

}  // namespace nbody::inline NBODY_PRECISION::walk

int main(int argc, char** argv) {
  using namespace nbody::walk;
  return nbody::reportingFailures(kName, [&] { return runNearField(argc, argv); });
}
