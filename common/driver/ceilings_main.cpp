// The ceilings of the device: multiply-adds, shared memory, L2 cache and device memory.

#include "driver/study_program.hpp"
#include "measure/bandwidth.hpp"

namespace nbody {

namespace {

constexpr const char* kName = "ceilings";

int runCeilings(int argc, char** argv) {
  StudyProgram program(
      kName, "Measures the highest rates of the device's arithmetic and of its memories.", 7);
  if (!program.parse(argc, argv, "numbers, which are not used here")) return 0;
  const Device device = probeDevice(true);
  printDevice(device);
  Json runs = Json::array();
  std::string failure;
  for (const Bandwidth& found : probeBandwidths(probeSizes(), program.repeats)) {
    Json run = {
        {"step", kName}, {"memory", found.memory}, {"bytes", found.bytes}, {"passed", found.right}};
    if (found.gbPerS > 0) run["gb_per_s"] = found.gbPerS;
    runs.push_back(run);
    std::printf("%-18s %s\n", found.memory.c_str(),
                found.gbPerS > 0 ? formatted("%.0f GB/s", found.gbPerS).c_str() : "checked");
    if (!found.right) failure = "the sum of what was read from " + found.memory + " is wrong";
  }
  return program.end(device, std::move(runs), failure);
}

}  // namespace

}  // namespace nbody

int main(int argc, char** argv) {
  return nbody::reportingFailures(nbody::kName, [&] { return nbody::runCeilings(argc, argv); });
}
