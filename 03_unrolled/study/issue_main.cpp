// The program 03_issue. `./run sweep issue` shows the machine code of its loops.
#include <cstdio>

#include "03_unrolled/study/issue.hpp"
#include "driver/study_program.hpp"

namespace nbody::inline NBODY_PRECISION::unrolled {

namespace {

constexpr const char* kName = "03_issue";

int runIssue(int argc, char** argv) {
  StudyProgram program(
      kName, "Measures how many cycles loops of a few kinds of instructions take.", 7);
  if (!program.parse(argc, argv, "nothing")) return 0;
  const Device device = probeDevice(true);
  printDevice(device);
  Json runs = Json::array();
  std::printf("%-46s%10s%14s\n", "loop", "argument", "cycles");
  for (const IssueLoop& loop : measureLoops(program.repeats)) {
    std::printf("%-46s%10d%14lld\n", loop.what.c_str(), loop.arguments.back(), loop.cycles);
    runs.push_back({{"step", kName},
                    {"kernel", loop.kernel},
                    {"arguments", loop.arguments},
                    {"what", loop.what},
                    {"iterations", loop.iterations},
                    {"warps_per_scheduler", loop.warpsPerScheduler},
                    {"cycles", loop.cycles}});
  }
  return program.end(device, std::move(runs), "");
}

}  // namespace

}  // namespace nbody::inline NBODY_PRECISION::unrolled

int main(int argc, char** argv) {
  return nbody::reportingFailures(nbody::unrolled::kName,
                                  [&] { return nbody::unrolled::runIssue(argc, argv); });
}
