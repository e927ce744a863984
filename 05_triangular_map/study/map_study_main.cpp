// The program 05_map_study: its options, its tables and its JSON.
#include <algorithm>
#include <cstdio>
#include <limits>

#include "base/output_file.hpp"
#include "base/progress.hpp"
#include "driver/failures.hpp"
#include "driver/option_checks.hpp"
#include "driver/report.hpp"
#include "driver/report_json.hpp"
#include "study/exactness.hpp"
#include "study/map_study.hpp"

namespace nbody {

namespace {

constexpr const char* kName = "05_map_study";
constexpr int kMaxBodies = 262144;  // whose distance matrix has 2^35 numbers

#ifdef NBODY_GPU
const std::vector<int> kSizes = {1024, 2048, 4096, 8192, 16384, 32768};
#else
const std::vector<int> kSizes = {1024};
#endif

struct ProgramOptions {
  StudyOptions study;
  bool exactness = false;
  std::string json;
};

/// False where help was shown.
bool parseOptions(int argc, char** argv, ProgramOptions& options) {
  StudyOptions& study = options.study;
  study = {kSizes, studyMaps(), studyTests()};
  CLI::App app("Times and checks maps of the triangle of all pairs against the bounding box.",
               kName);
  app.add_option(
         "--n", study.sizes, "numbers of bodies, with commas between [" + joined(kSizes) + "]")
      ->delimiter(',')
      ->type_name("N,...")
      ->check(wholeNumber(2, kMaxBodies));
  app.add_option("--maps", study.maps, "some of " + joined(studyMaps()) + " [all]; box always runs")
      ->delimiter(',')
      ->type_name("NAME,...")
      ->check(nameAmong(studyMaps()));
  app.add_option("--tests", study.tests, "some of " + joined(studyTests()) + " [all]")
      ->delimiter(',')
      ->type_name("NAME,...")
      ->check(nameAmong(studyTests()));
  app.add_option("--block", study.block, "rows and columns of a block's threads: 8, 16 or 32 [16]")
      ->type_name("RHO")
      ->check([](const std::string& text) -> std::string {
        if (text == "8" || text == "16" || text == "32") return "";
        return "must be 8, 16 or 32, not '" + text + "'";
      });
  app.add_option("--repeats", study.repeats, "measurements of each time, on a GPU [5]")
      ->type_name("COUNT")
      ->check(wholeNumber(1, 1'000'000));
  app.add_option("--seed", study.seed, "seed of the random points and spheres [1]")
      ->type_name("NUMBER")
      ->check(wholeNumber(0, std::numeric_limits<long long>::max()));
  app.add_flag("--exactness",
               options.exactness,
               "search how far each map is right on this device, in place of the study");
  app.add_option("--json", options.json, "write the figures to FILE")
      ->type_name("FILE")
      ->check(checkFileName);
  if (!parsed(app, argc, argv)) return false;
  std::erase(study.maps, "box");  // first, for the others are held against it
  study.maps.insert(study.maps.begin(), "box");
  if (!options.json.empty()) checkWritable(options.json);
  return true;
}

const char* verdict(const StudyPoint& point) {
  if (!point.exact) return "inexact here";
  return point.failure.empty() ? "ok" : "FAILED";
}

void printPoints(const std::vector<StudyPoint>& points) {
  const bool timed = points.front().time.has_value();
  std::printf("\n%-12s%8s  %-17s%9s%10s", "test", "N", "map", "launches", "threads");
  if (timed) std::printf("%12s%20s%8s%9s", "median ms", "min to max", "I", "penalty");
  std::printf("  check\n");
  for (const StudyPoint& p : points) {
    std::printf(
        "%-12s%8d  %-17s%9d%10.3g", p.test.c_str(), p.n, p.map.c_str(), p.launches, p.threads);
    if (p.time)
      std::printf("%12.4g%10.4g%10.4g%8.3f%9.2f",
                  p.time->median,
                  p.time->min,
                  p.time->max,
                  p.improvement,
                  p.penalty);
    const std::string& what = p.failure.empty() ? p.result : p.failure;
    std::printf("  %s%s%s\n", verdict(p), what.empty() ? "" : ": ", what.c_str());
  }
  std::fflush(stdout);
}

Json json(const StudyPoint& point, const StudyOptions& options) {
  Json run = {{"step", kName},
              {"test", point.test},
              {"map", point.map},
              {"bodies", point.n},
              {"precision", "fp32"},
              {"seed", options.seed},
              {"parameters", {{"block", options.block}}},
              {"launches", point.launches},
              {"threads", point.threads}};
  if (point.time) {
    run["kernel_ms"] = json(*point.time);
    run["improvement"] = point.improvement;
    run["penalty"] = point.penalty;
  }
  run["exact"] = point.exact;
  run["checked"] = point.exact;
  run["passed"] = point.failure.empty();
  return run;
}

int runStudy(const ProgramOptions& options, const Device& device) {
  checkStudyMemory(options.study);
  Json runs = Json::array();
  const StudyPoint* failed = nullptr;
  std::vector<StudyPoint> points;
  for (int n : options.study.sizes) {
    Progress progress(std::to_string(n) + " bodies");
    const std::vector<StudyPoint> ofSize = studySize(options.study, n);
    printPoints(ofSize);
    points.insert(points.end(), ofSize.begin(), ofSize.end());
  }
  for (const StudyPoint& point : points) {
    runs.push_back(json(point, options.study));
    if (!point.failure.empty() && failed == nullptr) failed = &point;
  }
  if (!options.json.empty()) writeWhole(options.json, jsonDocument(device, runs));
  if (failed == nullptr) return 0;
  return reportFailure(kName,
                       "check failed: " + failed->test + " of " + std::to_string(failed->n) +
                           " bodies by " + failed->map + ": " + failed->failure,
                       1);
}

int showExactness(const ProgramOptions& options, const Device& device) {
  Json runs = Json::array();
  std::printf("\n%-46s%-11s%13s%12s  %s\n", "map", "size", "exact up to", "searched", "tried");
  for (const Exactness& found : findExactness()) {
    std::printf("%-46s%-11s%13d%12d  %s\n",
                found.map.c_str(),
                found.unit.c_str(),
                found.exactUpTo,
                found.searchedUpTo,
                found.everyIndex ? "every index" : "ends and middle of each row");
    runs.push_back({{"step", kName},
                    {"map", found.map},
                    {"unit", found.unit},
                    {"exact_up_to", found.exactUpTo},
                    {"searched_up_to", found.searchedUpTo},
                    {"every_index", found.everyIndex}});
  }
  std::printf(
      "Bodies of a triangle of tiles: tile rows x the block; of a tetrahedron: layers x the "
      "block.\n");
  if (!options.json.empty()) writeWhole(options.json, jsonDocument(device, runs));
  return 0;
}

}  // namespace

}  // namespace nbody

int main(int argc, char** argv) {
  using namespace nbody;
  return reportingFailures(kName, [&] {
    ProgramOptions options;
    if (!parseOptions(argc, argv, options)) return 0;
    const Device device = probeDevice(true);
    std::printf("%s: maps of the triangle of all pairs, blocks of %d x %d threads\n",
                kName,
                options.study.block,
                options.study.block);
    printDevice(device);
    return options.exactness ? showExactness(options, device) : runStudy(options, device);
  });
}
