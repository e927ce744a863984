// Whether the measured ceiling and the two ways of timing a GPU are plausible.
#include "benchmark.hpp"
#include "cuda/device_array.hpp"
#include "measure/device.hpp"
#include "measure/timing.hpp"

using namespace nbody;

TEST_CASE("the FMA ceiling is near what lanes and clock give") {
  const Device device = probeDevice(true);
  atLeast("measured FMA rate, of lanes x clock", device.fma.share, 0.8, "times");
  atMost("measured FMA rate, of lanes x clock", device.fma.share, 1.02, "times");
}

TEST_CASE("device timing agrees with itself through graphs and without") {
  // Clearing 256 MiB takes longer than 0.1 ms, so it is timed run by run; 16 MiB, in a graph.
  DeviceArray<float> large(std::size_t{64} << 20, "large");
  DeviceArray<float> small(std::size_t{4} << 20, "small");
  const double perLarge = timeOnDevice([&] { large.clear(); }, 10).median / 16;
  const double perSmall = timeOnDevice([&] { small.clear(); }, 10).median;
  atMost("16 MiB cleared in a graph, compared with a part of 256 MiB", perSmall / perLarge, 2, "times");
  // The small array stays in the L2 cache.
  atMost("a part of 256 MiB, compared with 16 MiB in a graph", perLarge / perSmall, 8, "times");
}
