// Checks of a sample of launches and blocks: what is still found, and what is not looked for.
#include "checker_reports.hpp"
#include "executor/checker/slices.hpp"

using namespace nbody;

namespace {

/// Each block races inside itself, at its own place.
__global__ void raceInBlocksKernel(int* values) {
  if (threadIdx.x < 2) values[blockIdx.x] = static_cast<int>(threadIdx.x);
}

/// Races the same way; block \p last is the last with numbers for its slices, or nearly.
__global__ void raceAndSkipKernel(int* values, unsigned last) {
  if (threadIdx.x < 2) values[blockIdx.x] = static_cast<int>(threadIdx.x);
  if (blockIdx.x == last && threadIdx.x == 0) executor::checker::skipSlices(0x7ffff000u);
}

/// Each block writes its place and reads that of the one \p distance before it.
__global__ void neighboursKernel(int* values, int* out, int distance) {
  const int b = static_cast<int>(blockIdx.x + gridDim.x * blockIdx.y);
  values[b] = b;
  if (b >= distance) out[b] = values[b - distance];
}

__global__ void readKernel(const int* in, int* out) { out[blockIdx.x] = in[blockIdx.x]; }

/// How often the report says that the race came up.
int timesOf(const std::string& reports) {
  const std::size_t at = reports.find(" times in the kernel");
  if (at == std::string::npos) return reports.empty() ? 0 : 1;
  return std::stoi(reports.substr(reports.rfind('(', at) + 1));
}

}  // namespace

TEST_CASE("of each place the first launches are checked for races, all for bounds") {
  DeviceArray<int> values(4, "values");
  const OwnOptions restored;
  executor::options().checkLaunches = 2;
  const auto races = [&](int count) {
    int found = 0;
    for (int i = 0; i < count; ++i)
      found += !reportsOf(launching({4, 2}, raceInBlocksKernel, values.data())).empty();
    return found;
  };
  CHECK(races(5) == 2);
  CHECK(races(5) == 0);
  const auto outside = [&] { launch({5, 2}, raceInBlocksKernel, values.data()); };
  for (int i = 0; i < 4; ++i) CHECK(contains(reportsOf(outside), "out of bounds of global memory"));
}

TEST_CASE("of a large grid some blocks are checked for races, all for what is written") {
  constexpr int kBlocks = 10000;
  DeviceArray<int> values(kBlocks, "values"), out(kBlocks, "out");
  const OwnOptions restored;
  const auto races = [&](int sample) {
    executor::options().checkBlocks = sample;
    return timesOf(reportsOf(launching({kBlocks, 2}, raceInBlocksKernel, values.data())));
  };
  CHECK(races(0) == kBlocks);
  CHECK(races(kBlocks) == kBlocks);
  CHECK(races(600) > 300);
  CHECK(races(600) < 1200);
  // Values that the other blocks write count as written.
  executor::options().checkBlocks = 60;
  DeviceArray<int> fresh(kBlocks, "fresh");
  requireQuiet(launching({kBlocks, 1}, readKernel, values.data(), fresh.data()));
  requireQuiet(launching({kBlocks, 1}, readKernel, fresh.data(), out.data()));
  DeviceArray<int> unwritten(kBlocks, "unwritten");
  const std::string reports =
      reportsOf(launching({kBlocks, 1}, readKernel, unwritten.data(), out.data()));
  CHECK(contains(reports, "uninitialised global memory: unwritten["));
  CHECK(timesOf(reports) == kBlocks);
}

TEST_CASE("the numbers of slices may run out") {
  namespace checker = executor::checker;
  constexpr int kBlocks = 4000;
  DeviceArray<int> values(kBlocks, "values");
  const auto launchRaces = [&] { launch({kBlocks, 2}, raceInBlocksKernel, values.data()); };
  const auto races = [&] { return timesOf(reportsOf(launchRaces)); };
  checker::skipSlices(1u << 31);  // all starts again with the next launch
  const unsigned before = checker::slicesGeneration();
  CHECK(races() == kBlocks);
  CHECK(checker::slicesGeneration() == before + 1);
  // Numbers run out during a launch: the rest goes unseen, and the next launch is as usual.
  checker::skipSlices(0x7fff0000u);
  const std::string reports =
      reportsOf(launching({kBlocks, 2}, raceAndSkipKernel, values.data(), 1000u));
  CHECK(timesOf(reports) >= 1000);
  CHECK(timesOf(reports) < kBlocks);
  CHECK(checker::slicesGeneration() == before + 1);
  CHECK(races() == kBlocks);
  CHECK(checker::slicesGeneration() == before + 2);
}

TEST_CASE("a sample has blocks next to and below each other") {
  DeviceArray<int> values(100 * 100, "values"), out(100 * 100, "out");
  const OwnOptions restored;
  executor::options().checkBlocks = 300;
  for (int distance : {1, 100}) {
    const std::string reports = reportsOf(
        launching({{100, 100}, 1}, neighboursKernel, values.data(), out.data(), distance));
    INFO(distance << "\n" << reports);
    CHECK(timesOf(reports) > 20);
    CHECK(timesOf(reports) < 600);
  }
}
