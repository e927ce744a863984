// Kernels that the checker must not report, memory of the host's threads and of messages, and how reports are counted.
#include <atomic>
#include <cstdlib>
#include <thread>

#include "checker_reports.hpp"
#include "executor/checker/checker.hpp"
#include "executor/checker/slices.hpp"
#include "executor/grid.hpp"
#include "executor/language/device_functions.hpp"

using namespace nbody;

// Outside of all namespaces, so that reports have these names alone.
__device__ int value0, value1, value2, value3, value4, value5, value6, value7, value8, value9;

namespace {

int hostCount = 3;
const int kHostConstants[3] = {1, 2, 3};

/// Sums values that each block has in shared memory first.
__global__ void sumKernel(const int* in, int* total) {
  __shared__ int own;
  own = in[blockIdx.x];
  atomicAdd(total, own);
}

/// Bytes of one word belong to four threads, which do not race.
__global__ void bytesKernel(char* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

/// All threads write their numbers to ten variables. Fields of one structure would be one report.
__global__ void tenRacesKernel() {
  const int me = static_cast<int>(threadIdx.x);
  value0 = me;
  value1 = me;
  value2 = me;
  value3 = me;
  value4 = me;
  value5 = me;
  value6 = me;
  value7 = me;
  value8 = me;
  value9 = me;
}

__global__ void readKernel(const int* in, int* out) { out[blockIdx.x] = in[blockIdx.x]; }

__global__ void constantsKernel(int* out) { out[threadIdx.x] = kHostConstants[threadIdx.x % 3]; }

__global__ void sharedKernel(int* out) {
  __shared__ int own[kBlock];
  own[threadIdx.x] = 1;
  out[threadIdx.x] = own[threadIdx.x];
}

/// Fails in some threads of each block; its file has instrumented copies of what std::string does.
__global__ void assertKernel(const char* text, int* out) {
  const std::string copy(text);
  if (threadIdx.x >= 28) executor::assertFailed("x < 28", __FILE__, __LINE__, __func__);
  out[threadIdx.x] = static_cast<int>(copy.size());
}

}  // namespace

TEST_CASE("the bytes that kernels read of global memory are counted") {
  auto in = zeros<int>(kBlock, "in"), total = zeros<int>(1, "total");
  const std::uint64_t before = executor::checker::globalBytesRead();
  launch({kBlock, 1}, sumKernel, in.data(), total.data());
  // Neither shared memory nor the atomic sum counts.
  CHECK(executor::checker::globalBytesRead() - before == kBlock * sizeof(int));
}

TEST_CASE("threads that share a word but no byte do not race") {
  DeviceArray<char> out(kBlock, "out");
  requireQuiet(launching({2, kBlock / 2}, bytesKernel, out.data()));
}

TEST_CASE("a launch with many bugs prints the first reports and counts the rest") {
  const std::string reports = reportsOf(launching(kOneBlock, tenRacesKernel));
  INFO(reports);
  CHECK(countOf(reports, "executor: race on global memory: value") == 8);
  CHECK(contains(reports, "executor: 2 more reports are not shown"));
}

TEST_CASE("without addr2line a report names the kernel") {
  const WithoutLines here;
  const std::string reports = reportsOf(launching({1, 2}, tenRacesKernel));
  INFO(reports);
  CHECK(contains(reports, "executor: race on global memory: value"));
  CHECK(contains(reports, "tenRacesKernel (install binutils to see the line)"));
  CHECK(countOf(reports, "executor: ") == 1);
}

TEST_CASE("the error of a launch counts its reports, and the next launch works") {
  std::string message;
  reportsOf([&] { message = messageOf(launching(kOneBlock, tenRacesKernel)); });
  CHECK(contains(message,
                 "the executor reports 10 bugs in the kernel launched at kernels/launch.hpp:"));
  requireQuiet(launching({1, 1}, tenRacesKernel));
}

TEST_CASE("what is poisoned counts as unwritten") {
  DeviceArray<int> values(kBlock, "values"), out(kBlock, "out");
  values.clear();
  requireQuiet(launching({kBlock, 1}, readKernel, values.data(), out.data()));
  values.poison();
  CHECK(contains(reportsOf(launching({kBlock, 1}, readKernel, values.data(), out.data())),
                 "uninitialised global memory: values["));
}

TEST_CASE("what the host keeps for each of its threads stays after a launch, its device too") {
  static thread_local int kept = 7;
  DeviceArray<int> out(kBlock, "out");
  requireQuiet(launching(kOneBlock, sharedKernel, out.data()));
  CHECK(kept == 7);
  int device = -1;
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(device == 0);
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, device) == cudaSuccess);
}

TEST_CASE("the message of a failed assertion is no access by the kernel") {
  DeviceArray<char> text(40, "text");
  DeviceArray<int> out(kBlock, "out");
  text.upload(std::vector<char>(40, '\0'));
  const std::string reports = reportsOf(launching({2, 32}, assertKernel, text.data(), out.data()));
  INFO(reports);
  CHECK(countOf(reports, "executor: ") == 1);
  CHECK(contains(reports, "executor: assertion failed: '"));
  CHECK(contains(reports, "' is false in thread (28,0,0) of block (0,0,0), in "));
}

TEST_CASE("host threads that run during a kernel are not checked") {
  DeviceArray<int> out(kBlock, "out");
  std::atomic<bool> stop = false;
  std::thread other([&] {
    while (!stop) ++hostCount;
  });
  requireQuiet(launching({40, 3}, constantsKernel, out.data()));
  stop = true;
  other.join();
}

// Checks of a sample of launches and blocks: what is still found, and what is not looked for.

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

/// How often the report says that the race came up.
int timesOf(const std::string& reports) {
  const std::size_t at = reports.find(" in the kernel");
  if (at == std::string::npos) return reports.empty() ? 0 : 1;
  const std::string number = reports.substr(reports.rfind('(', at) + 1);
  return number.starts_with("once") ? 1 : std::stoi(number);
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
