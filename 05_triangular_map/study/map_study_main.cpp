// The program 05_map_study: its options, its tables and its JSON.
#include "05_triangular_map/study/exactness.hpp"
#include "05_triangular_map/study/map_program.hpp"
#include "05_triangular_map/study/map_study.hpp"

namespace nbody::inline NBODY_PRECISION::triangular {

namespace {

constexpr const char* kName = "05_map_study";
constexpr int kMaxBodies = 262144;  // its distance matrix has 2^35 numbers

#ifdef NBODY_GPU
const std::vector<int> kSizes = {1024, 2048, 4096, 8192, 16384, 32768};
#else
const std::vector<int> kSizes = {1024};
#endif

struct MapStudy {
  const StudyProgram& program;
  const StudyOptions& options;

  std::vector<StudyPoint> points(int n) const { return studySize(options, n); }

  void print(const std::vector<StudyPoint>& points) const {
    std::printf("\n%-12s%8s  %-17s%9s%10s", "test", "N", "map", "launches", "threads");
    printTimesHeader(points.front().time.has_value(), "  penalty");
    std::printf("  check\n");
    for (const StudyPoint& p : points) {
      std::printf(
          "%-12s%8d  %-17s%9d%10.3g", p.test.c_str(), p.n, p.map.c_str(), p.launches, p.threads);
      if (p.time) printTimes(p);
      if (p.time) std::printf("%9.2f", p.penalty);
      const char* verdict = !p.exact ? "inexact here" : p.failure.empty() ? "ok" : "FAILED";
      const std::string& what = p.failure.empty() ? p.result : p.failure;
      std::printf("  %s%s%s\n", verdict, what.empty() ? "" : ": ", what.c_str());
    }
  }

  Json json(const StudyPoint& point) const {
    Json run = jsonOf(program, point, {{"block", options.block}});
    run["test"] = point.test;
    run["launches"] = point.launches;
    if (point.time) run["penalty"] = point.penalty;
    return run;
  }
};

int showExactness(const StudyProgram& program, const Device& device) {
  Json runs = Json::array();
  std::printf("\n%-46s%-11s%13s%12s  %s\n", "map", "size", "exact up to", "searched", "tried");
  for (const Exactness& found : findExactness()) {
    std::printf("%-46s%-11s%13d%12d  %s\n",
                found.map.c_str(),
                found.unit.c_str(),
                found.exactUpTo,
                found.searchedUpTo,
                found.everyIndex ? "every index" : "ends and middle of each row");
    runs.push_back({{"step", program.name},
                    {"map", found.map},
                    {"unit", found.unit},
                    {"exact_up_to", found.exactUpTo},
                    {"searched_up_to", found.searchedUpTo},
                    {"every_index", found.everyIndex}});
  }
  std::printf(
      "Bodies of a triangle of tiles: tile rows x the block; of a tetrahedron: layers x the "
      "block.\n");
  return program.end(device, std::move(runs), "");
}

int runStudy(int argc, char** argv) {
  StudyProgram program(
      kName, "Compares maps of the triangle of all pairs with the bounding box.", 5);
  StudyOptions study = {kSizes, studyMaps(), studyTests()};
  bool exactness = false;
  addSizesAndMaps(program, study.sizes, wholeNumber(2, kMaxBodies), study.maps);
  program.option("--tests NAME,...",
                 study.tests,
                 "some of " + joined(studyTests()) + " (default: all)",
                 nameAmong(studyTests()));
  program.option("--block RHO",
                 study.block,
                 "rows and columns of the threads of a block: 8, 16 or 32 (default: 16)",
                 [](const std::string& text) -> std::string {
                   if (text == "8" || text == "16" || text == "32") return "";
                   return "must be 8, 16 or 32, not '" + text + "'";
                 });
  program.flag("--exactness",
               exactness,
               "search up to which size each map is correct on this device, and skip the study");
  if (!program.parse(argc, argv, "points and spheres")) return 0;
  study.seed = program.seed;
  study.repeats = program.repeats;
  putBoxFirst(study.maps);
  const Device device = probeDevice(true);
  std::printf("%s: maps of the triangle of all pairs, blocks of %d x %d threads\n",
              kName,
              study.block,
              study.block);
  printDevice(device);
  if (exactness) return showExactness(program, device);
  checkStudyMemory(study);
  return runSizes(program, device, study.sizes, MapStudy{program, study});
}

}  // namespace

}  // namespace nbody::inline NBODY_PRECISION::triangular

int main(int argc, char** argv) {
  return nbody::reportingFailures(nbody::triangular::kName,
                                  [&] { return nbody::triangular::runStudy(argc, argv); });
}
