// The program 06_near_field: its options, its report and its JSON.
#include <cstdio>
#include <limits>

#include "base/output_file.hpp"
#include "base/progress.hpp"
#include "driver/failures.hpp"
#include "driver/option_checks.hpp"
#include "driver/report.hpp"
#include "driver/report_json.hpp"
#include "near_field/near_field.hpp"

namespace nbody {

namespace {

constexpr const char* kName = "06_near_field";
constexpr int kFlop = 20;  // of an interaction
constexpr double kSoftening = 0.01;  // sides of a cell
// Section 31.6: less than half a second; 7 million interactions a leaf, 10^10 a second (31.4.1).
constexpr double kChapterMs = 500;

#ifdef NBODY_GPU
constexpr int kCells = 8, kCellBodies = 512;
#else
constexpr int kCells = 4, kCellBodies = 64;  // the chapter's would take the executor a minute
#endif

struct ProgramOptions {
  NearFieldRun run = {{kCells, kCellBodies, true}, 256, 2, kSoftening, 1};
  std::string edge = "periodic";
  int repeats = 20;
  std::string json;
};

/// False where help was shown.
bool parseOptions(int argc, char** argv, ProgramOptions& options) {
  NearFieldRun& run = options.run;
  CLI::App app("Near field of equal leaves by all pairs: section 31.6 of GPU Gems 3.", kName);
  const auto number = [&](const char* name, auto& value, const std::string& help) {
    return app.add_option(name, value, help)->type_name("N");
  };
  number("--cells", run.grid.side, "cells along an edge [" + std::to_string(kCells) + "]")
      ->check(wholeNumber(1, 32));
  number("--cell-bodies", run.grid.bodies, "bodies of a cell [" + std::to_string(kCellBodies) + "]")
      ->check(wholeNumber(1, 4096));
  app.add_option("--edge",
                 options.edge,
                 "periodic: every cell has 27 neighbours, itself one; open: those at the\n"
                 "  edge have fewer [periodic]")
      ->type_name("WORD")
      ->check(nameAmong({"periodic", "open"}));
  number("--block", run.block, "threads per block [256]")
      ->check(nameAmong({"32", "64", "128", "256", "512", "1024"}));
  number("--bodies-per-thread", run.bodiesPerThread, "bodies of a thread [2]")
      ->check(nameAmong({"1", "2", "4"}));
  number("--seed", run.seed, "seed of the random positions and masses [1]")
      ->check(wholeNumber(0, std::numeric_limits<long long>::max()));
  number("--repeats", options.repeats, "measurements of the time, on a GPU [20]")
      ->check(wholeNumber(1, 1'000'000));
  app.add_option("--json", options.json, "write the figures to FILE")
      ->type_name("FILE")
      ->check(checkFileName);
  if (!parsed(app, argc, argv)) return false;
  run.grid.periodic = options.edge == "periodic";
  checkNearFieldMemory(run.grid);
  if (!options.json.empty()) checkWritable(options.json);
  return true;
}

/// Whether the chapter's estimate is of this.
bool isTheChapters(const CellGrid& grid) {
  return grid.side == 8 && grid.bodies == 512 && grid.periodic;
}

double perSecond(const CellGrid& grid, const Timing& time) {
  return grid.interactions() / (time.median * 1e-3);
}

void print(const ProgramOptions& options, const Device& device, const NearFieldResult& result) {
  const NearFieldRun& run = options.run;
  const CellGrid& grid = run.grid;
  std::printf(
      "%s: %d bodies, %d leaves of %d, edge %s, fp32, softening %g, block %d, "
      "bodies-per-thread %d\n",
      kName,
      grid.count(),
      grid.cells(),
      grid.bodies,
      options.edge.c_str(),
      run.softening,
      run.block,
      run.bodiesPerThread);
  printDevice(device);
  std::printf("%-18s %.4g\n", "interactions", grid.interactions());
  if (result.time) {
    const Timing& time = *result.time;
    std::printf("%-18s %.4g ms (median of %d; %.4g to %.4g)\n",
                "near field",
                time.median,
                time.repeats,
                time.min,
                time.max);
    std::printf("%-18s %.4g\n", "interactions/s", perSecond(grid, time));
    std::printf("%-18s %.1f, at the %d FLOP per interaction of GPU Gems 3\n",
                "GFLOP/s",
                perSecond(grid, time) * kFlop * 1e-9,
                kFlop);
  }
  if (isTheChapters(grid))
    std::printf("%-18s under %g ms on a GeForce 8800 GTX (GPU Gems 3, section 31.6)\n",
                "chapter's estimate",
                kChapterMs);
  std::printf("%-18s median %.2g, 99th percentile %.2g, max %.2g (%d bodies against FP64)\n",
              "force error",
              result.error.median,
              result.error.p99,
              result.error.max,
              result.error.sampled);
  std::printf("%-18s %s\n", "check", result.error.passed ? "passed" : "FAILED");
}

Json json(const ProgramOptions& options, const Device& device, const NearFieldResult& result) {
  const NearFieldRun& run = options.run;
  Json json = {{"step", kName},
               {"scene", "cells"},
               {"bodies", run.grid.count()},
               {"precision", "fp32"},
               {"seed", run.seed},
               {"softening", run.softening},
               {"parameters",
                {{"cells", run.grid.side},
                 {"cell_bodies", run.grid.bodies},
                 {"edge", options.edge},
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
  json["error"] = {{"sampled", result.error.sampled},
                   {"median", result.error.median},
                   {"p99", result.error.p99},
                   {"max", result.error.max}};
  json["checked"] = true;
  json["passed"] = result.error.passed;
  return json;
}

int runNearField(const ProgramOptions& options) {
  const Device device = probeDevice(true);
  const NearFieldResult result = [&] {
    Progress progress("near field");
    return studyNearField(options.run, options.repeats);
  }();
  print(options, device, result);
  if (!options.json.empty())
    writeWhole(options.json, jsonDocument(device, Json::array({json(options, device, result)})));
  if (result.error.passed) return 0;
  return reportFailure(kName, "check failed: " + result.error.failure, 1);
}

}  // namespace

}  // namespace nbody

int main(int argc, char** argv) {
  using namespace nbody;
  return reportingFailures(kName, [&] {
    ProgramOptions options;
    return parseOptions(argc, argv, options) ? runNearField(options) : 0;
  });
}
