// The program 05_triplets: its options, its table and its JSON.
#include "05_triangular_map/study/map_program.hpp"
#include "05_triangular_map/study/triplets.hpp"
#include "bodies/scenes.hpp"

namespace nbody::inline NBODY_PRECISION::triangular {

namespace {

constexpr const char* kName = "05_triplets";
constexpr int kMaxBodies = 4096;  // 1.1e10 triplets: a minute of FP64 on two cores
constexpr int kFlopPerTriplet = 50;

#ifdef NBODY_GPU
const std::vector<int> kSizes = {64, 128, 256, 512, 1024, 2048};
#else
const std::vector<int> kSizes = {64, 128};
#endif

double tripletsOf(double n) { return n * (n - 1) * (n - 2) / 6; }

double gflops(const TripletPoint& point) {
  return tripletsOf(point.n) * kFlopPerTriplet / (point.time->median * 1e6);
}

struct TripletStudy {
  StudyProgram& program;
  std::vector<int> sizes = kSizes;
  std::vector<std::string> maps = tripletMaps();
  std::string scene = "plummer";

  std::vector<TripletPoint> points(int n) const {
    return studyTriplets(sceneNamed(scene).make(n, program.seed), maps, program.repeats);
  }

  void print(const std::vector<TripletPoint>& points) const {
    for (const TripletPoint& p : points) {
      std::printf("%8d  %-17s%10.3g", p.n, p.map.c_str(), p.threads);
      if (p.time) printTimes(p);
      if (p.time) std::printf("%10.0f", gflops(p));
      if (!p.exact) std::printf("  inexact here\n");
      else if (p.failure.empty()) std::printf("%16.8g%10.1e  ok\n", p.energy, p.error);
      else std::printf("  FAILED: %s\n", p.failure.c_str());
    }
  }

  Json json(const TripletPoint& point) const {
    Json run = jsonOf(program, point, {{"cell", kCellSide}});
    run["scene"] = scene;
    run["triplets"] = tripletsOf(point.n);
    if (point.time) run.update({{"flop_per_triplet", kFlopPerTriplet}, {"gflops", gflops(point)}});
    if (point.exact) run.update({{"energy", point.energy}, {"error", {{"max", point.error}}}});
    return run;
  }
};

int runTriplets(int argc, char** argv) {
  StudyProgram program(
      kName,
      "Computes the Axilrod-Teller energy of n bodies, with a bounding box and with a map.",
      7);
  TripletStudy study = {program};
  const std::string& scene = study.scene;
  addSizesAndMaps(program, study.sizes, wholeNumber(3, kMaxBodies), study.maps);
  program.option("--scene NAME",
                 study.scene,
                 "the initial bodies; 01_naive --help lists all (default: plummer)");
  if (!program.parse(argc, argv, "bodies")) return 0;
  putBoxFirst(study.maps);
  if (const int fixed = sceneNamed(scene).fixedCount)
    throw BadInput("--scene: " + scene + " has always " + std::to_string(fixed) +
                   " bodies; --n chooses here");
  for (int n : study.sizes) checkTripletMemory(n);
  const Device device = probeDevice(true);
  std::printf("%s: Axilrod-Teller energy, scene %s, cells of %d x %d x %d triplets\n",
              kName,
              scene.c_str(),
              kCellSide,
              kCellSide,
              kCellSide);
  printDevice(device);
  std::printf("\n%8s  %-17s%10s", "N", "map", "threads");
  printTimesHeader(device.kind == "gpu", "   GFLOP/s");
  std::printf("%16s%10s  check\n", "energy", "error");
  return runSizes(program, device, study.sizes, study);
}

}  // namespace

}  // namespace nbody::inline NBODY_PRECISION::triangular

int main(int argc, char** argv) {
  return nbody::reportingFailures(nbody::triangular::kName,
                                  [&] { return nbody::triangular::runTriplets(argc, argv); });
}
