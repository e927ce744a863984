#include "catch.hpp"
#include "cuda/device_array.hpp"
#include "measure/device.hpp"
#include "measure/timing.hpp"

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

TEST_CASE("FP32 lanes follow the architecture") {
  CHECK(lanesPerMultiprocessor(7, 5) == 64);
  CHECK(lanesPerMultiprocessor(8, 0) == 64);
  CHECK(lanesPerMultiprocessor(8, 6) == 128);
  CHECK(lanesPerMultiprocessor(8, 9) == 128);
  CHECK(lanesPerMultiprocessor(9, 0) == 128);
  CHECK(lanesPerMultiprocessor(12, 0) == 128);
}

#ifdef NBODY_GPU
TEST_CASE("the FMA ceiling is near what lanes and clock give", "[timed]") {
  const Device device = probeDevice(true);
  INFO(device.fma.tflops << " TFLOP/s at " << device.fma.smClockGhz << " GHz");
  CHECK(device.fma.share >= 0.8);
  CHECK(device.fma.share <= 1.02);
}

TEST_CASE("device timing agrees with itself through graphs and without", "[timed]") {
  // Clearing 256 MiB takes longer than 0.1 ms, so it is timed run by run; 16 MiB, in a graph.
  DeviceArray<float> large(std::size_t{64} << 20, "large");
  DeviceArray<float> small(std::size_t{4} << 20, "small");
  const double perLarge = timeOnDevice([&] { large.clear(); }, 10).median / 16;
  const double perSmall = timeOnDevice([&] { small.clear(); }, 10).median;
  INFO(perLarge << " and " << perSmall << " ms");
  CHECK(perSmall <= 2 * perLarge);
  CHECK(perLarge <= 8 * perSmall);  // the small one stays in the L2 cache
}
#endif
