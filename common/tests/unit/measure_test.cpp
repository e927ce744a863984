#include <chrono>
#include <thread>

#include "catch.hpp"
#include "cuda/device_array.hpp"
#include "measure/bandwidth.hpp"
#include "measure/device.hpp"
#include "measure/energy.hpp"
#include "measure/occupancy.hpp"
#include "measure/timing.hpp"
#include "program_run.hpp"

using namespace nbody;

TEST_CASE("timings are summarised by median and range") {
  const Timing odd = summarize({5, 1, 3});
  CHECK(odd.median == 3);
  CHECK(odd.min == 1);
  CHECK(odd.max == 5);
  CHECK(odd.repeats == 3);
  CHECK(summarize({4, 1, 2, 3}).median == 2.5);
  CHECK(summarize({7}).median == 7);
}

TEST_CASE("host timing warms up once and repeats as asked") {
  int runs = 0;
  const Timing timing = timeOnHost([&] { ++runs; }, 4);
  CHECK(runs == 5);
  CHECK(timing.repeats == 4);
  CHECK(timing.min <= timing.median);
  CHECK(timing.median <= timing.max);
}

TEST_CASE("energy is the counter's power times the time of one evaluation") {
  using namespace std::chrono_literals;
  // 100 W, counted every 10 ms.
  const EnergyCounter counter{
      .source = "made up", .joules = [] { return std::floor(nowMs() / 10); }, .missing = {}};
  const auto energy = measureEnergy(
      counter, [] { std::this_thread::sleep_for(4ms); }, 2, 0.6);
  REQUIRE(energy);
  CHECK(std::abs(energy->watts - 100) <= 30);  // a busy machine may read the counter late
  CHECK(energy->ms >= 2);  // two evaluations in 4 ms
  CHECK(energy->joules == energy->watts * energy->ms * 1e-3);
  CHECK(energy->updates >= 2);
  CHECK(energy->seconds > 0);
  const EnergyCounter still{.source = "made up", .joules = [] { return 1.0; }, .missing = {}};
  CHECK_FALSE(measureEnergy(
      still, [] { std::this_thread::sleep_for(4ms); }, 1, 0.02));
}

TEST_CASE("the processors' counter adds up packages and begins again after its most") {
  const TestFolder folder;
  const auto write = [&](const std::string& domain, const std::string& file,
                         const std::string& text) {
    std::filesystem::create_directories(folder / ("rapl/" + domain));
    writeContent(folder / ("rapl/" + domain + "/" + file), text + "\n");
  };
  const std::string there = folder / "rapl";
  CHECK(hostEnergyCounter(there).missing == there + " has no processor's counter");
  for (const auto& [domain, name] : {std::pair{"intel-rapl:0", "package-0"},
                                     {"intel-rapl:1", "package-1"},
                                     {"intel-rapl:0:0", "core"}}) {
    write(domain, "name", name);
    write(domain, "energy_uj", "900000");
    write(domain, "max_energy_range_uj", "1000000");
  }
  const EnergyCounter counter = hostEnergyCounter(there);
  REQUIRE(counter.joules);
  CHECK(counter.joules() == Approx(1.8));
  write("intel-rapl:1", "energy_uj", "100000");  // 0.2 J later
  CHECK(counter.joules() == Approx(2.0));
  std::filesystem::remove(there + "/intel-rapl:1/energy_uj");
  const EnergyCounter unreadable = hostEnergyCounter(there);
  CHECK_FALSE(unreadable.joules);
  CHECK(unreadable.missing.find("intel-rapl:1/energy_uj cannot be read") != std::string::npos);
}

TEST_CASE("a program counts its energy where there is a counter, or says why not") {
  const Outcome outcome =
      runWell(NBODY_SIMD_PROGRAM, "--bodies 500 --steps 0 --repeats 1 --energy 1");
  if (hostEnergyCounter().joules) {
    const auto& energy = outcome.firstRun()["energy"];
    CHECK(energy["joules"].get<double>() > 0);
    CHECK(energy["picojoules_per_interaction"].get<double>() ==
          Approx(energy["joules"].get<double>() / 250000 * 1e12));
  } else {
    CHECK(contains(outcome.out, "not counted: " + hostEnergyCounter().missing));
    CHECK_FALSE(outcome.firstRun().contains("energy"));
  }
  requireRefused(NBODY_SIMD_PROGRAM, "--energy 0", "--energy: must be a whole number from 1");
  requireRefused(NBODY_SIMD_PROGRAM, "--energy 1 --no-measure", "--energy and --no-measure");
}

TEST_CASE("a kernel's name has its template arguments and no more") {
  CHECK(shortName("_ZN5nbody12forcesKernelILi64ELi2EEEvPK6float4ifPS1_") == "forcesKernel<64, 2>");
  CHECK(shortName("_ZN5nbody11clearKernelEPfi") == "clearKernel");
  CHECK(shortName("main") == "main");
}

TEST_CASE("the probes of bandwidth read all that they count") {
  const ProbeSizes sizes = probeSizes();
  const auto found = probeBandwidths(sizes, 1);
  REQUIRE(found.size() == 3);
  for (const Bandwidth& each : found) {
    INFO(each.memory);
    CHECK(each.right);
    CHECK(each.bytes > 0);
  }
  CHECK(found[1].bytes == 1LL * sizes.cachedBytes * sizes.passes);
#ifndef NBODY_GPU
  for (const Bandwidth& each : found) CHECK(each.gbPerS == 0);
#endif
}

TEST_CASE("a GPU that NVML does not find has no counter") {
  const EnergyCounter counter = nvmlEnergyCounter("ffff:ff:1f.7");
  CHECK_FALSE(counter.joules);
  CHECK_FALSE(counter.missing.empty());
}
