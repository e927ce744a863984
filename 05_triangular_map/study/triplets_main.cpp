// The program 05_triplets: its options, its table and its JSON.
#include <algorithm>
#include <cstdio>
#include <limits>

#include "base/output_file.hpp"
#include "base/progress.hpp"
#include "bodies/scenes.hpp"
#include "driver/failures.hpp"
#include "driver/option_checks.hpp"
#include "driver/report.hpp"
#include "driver/report_json.hpp"
#include "study/triplets.hpp"

namespace nbody {

namespace {

constexpr const char* kName = "05_triplets";
constexpr int kMaxBodies = 4096;  // 1.1e10 triplets, a minute of FP64 on two cores
constexpr int kFlopPerTriplet = 50;

#ifdef NBODY_GPU
const std::vector<int> kSizes = {64, 128, 256, 512, 1024, 2048};
#else
const std::vector<int> kSizes = {64, 128};
#endif

struct ProgramOptions {
  std::vector<int> sizes = kSizes;
  std::vector<std::string> maps = tripletMaps();
  std::string scene = "plummer";
  std::uint64_t seed = 1;
  int repeats = 7;
  std::string json;
};

/// False where help was shown.
bool parseOptions(int argc, char** argv, ProgramOptions& options) {
  CLI::App app("Axilrod-Teller energy of n bodies by bounding box and by the tetrahedral map.",
               kName);
  app.add_option(
         "--n", options.sizes, "numbers of bodies, with commas between [" + joined(kSizes) + "]")
      ->delimiter(',')
      ->type_name("N,...")
      ->check(wholeNumber(3, kMaxBodies));
  app.add_option(
         "--maps", options.maps, "some of " + joined(tripletMaps()) + " [all]; box always runs")
      ->delimiter(',')
      ->type_name("NAME,...")
      ->check(nameAmong(tripletMaps()));
  app.add_option(
         "--scene", options.scene, "initial conditions, as of the steps' programs [plummer]")
      ->type_name("NAME");
  app.add_option("--seed", options.seed, "seed of the random numbers of the scene [1]")
      ->type_name("NUMBER")
      ->check(wholeNumber(0, std::numeric_limits<long long>::max()));
  app.add_option("--repeats", options.repeats, "measurements of each time, on a GPU [7]")
      ->type_name("COUNT")
      ->check(wholeNumber(1, 1'000'000));
  app.add_option("--json", options.json, "write the figures to FILE")
      ->type_name("FILE")
      ->check(checkFileName);
  if (!parsed(app, argc, argv)) return false;
  std::erase(options.maps, "box");  // first, for the others are held against it
  options.maps.insert(options.maps.begin(), "box");
  if (const int fixed = sceneNamed(options.scene).fixedCount)
    throw BadInput("--scene: " + options.scene + " has always " + std::to_string(fixed) +
                   " bodies; --n chooses here");
  for (int n : options.sizes) checkTripletMemory(n);
  if (!options.json.empty()) checkWritable(options.json);
  return true;
}

double tripletsOf(double n) { return n * (n - 1) * (n - 2) / 6; }

double gflops(const TripletPoint& point) {
  return tripletsOf(point.n) * kFlopPerTriplet / (point.time->median * 1e6);
}

void printPoints(const std::vector<TripletPoint>& points) {
  for (const TripletPoint& p : points) {
    std::printf("%8d  %-17s%10.3g", p.n, p.map.c_str(), p.threads);
    if (p.time)
      std::printf("%12.4g%10.4g%10.4g%8.3f%10.0f",
                  p.time->median,
                  p.time->min,
                  p.time->max,
                  p.improvement,
                  gflops(p));
    if (!p.exact) std::printf("  inexact here\n");
    else if (p.failure.empty()) std::printf("%16.8g%10.1e  ok\n", p.energy, p.error);
    else std::printf("  FAILED: %s\n", p.failure.c_str());
  }
  std::fflush(stdout);
}

void printHeader() {
  std::printf("\n%8s  %-17s%10s", "N", "map", "threads");
#ifdef NBODY_GPU
  std::printf("%12s%20s%8s%10s", "median ms", "min to max", "I", "GFLOP/s");
#endif
  std::printf("%16s%10s  check\n", "energy", "error");
}

Json json(const TripletPoint& point, const ProgramOptions& options) {
  Json run = {{"step", kName},
              {"scene", options.scene},
              {"map", point.map},
              {"bodies", point.n},
              {"precision", "fp32"},
              {"seed", options.seed},
              {"parameters", {{"cell", kCellSide}}},
              {"triplets", tripletsOf(point.n)},
              {"threads", point.threads}};
  if (point.time) {
    run["kernel_ms"] = json(*point.time);
    run["improvement"] = point.improvement;
    run["flop_per_triplet"] = kFlopPerTriplet;
    run["gflops"] = gflops(point);
  }
  run["exact"] = point.exact;
  run["checked"] = point.exact;
  if (point.exact) {
    run["energy"] = point.energy;
    run["error"] = {{"max", point.error}};
  }
  run["passed"] = point.failure.empty();
  return run;
}

int runTriplets(const ProgramOptions& options) {
  const Device device = probeDevice(true);
  std::printf("%s: Axilrod-Teller energy, scene %s, cells of %d x %d x %d triplets\n",
              kName,
              options.scene.c_str(),
              kCellSide,
              kCellSide,
              kCellSide);
  printDevice(device);
  printHeader();
  Json runs = Json::array();
  std::string failure;
  for (int n : options.sizes) {
    Progress progress(std::to_string(n) + " bodies");
    const Bodies bodies = sceneNamed(options.scene).make(n, options.seed);
    const std::vector<TripletPoint> points = studyTriplets(bodies, options.maps, options.repeats);
    printPoints(points);
    for (const TripletPoint& point : points) {
      runs.push_back(json(point, options));
      if (failure.empty() && !point.failure.empty())
        failure = std::to_string(n) + " bodies by " + point.map + ": " + point.failure;
    }
  }
  if (!options.json.empty()) writeWhole(options.json, jsonDocument(device, runs));
  return failure.empty() ? 0 : reportFailure(kName, "check failed: " + failure, 1);
}

}  // namespace

}  // namespace nbody

int main(int argc, char** argv) {
  using namespace nbody;
  return reportingFailures(kName, [&] {
    ProgramOptions options;
    return parseOptions(argc, argv, options) ? runTriplets(options) : 0;
  });
}
