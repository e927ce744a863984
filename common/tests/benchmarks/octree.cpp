// How long the host takes to build the tree of a million bodies.
#include <ctime>

#include "06_tree_walk/host/octree.hpp"
#include "base/parallel.hpp"
#include "benchmark.hpp"
#include "bodies/scenes.hpp"
#include "measure/timing.hpp"

using namespace nbody;
using namespace nbody::walk;

TEST_CASE("a million bodies are in an octree within half a second of one core") {
  constexpr int kCount = 1 << 20;
  const Bodies bodies = makePlummer(kCount, 1);
  for (int threads : {1, threadCount(0)}) {
    double processorMs = 1e9;  // of all threads, so that other programs on these cores do not count
    const auto build = [&] {
      const std::clock_t start = std::clock();
      buildOctree(bodies.positions, 64, 64, Grouping::cells, threads);
      processorMs = std::min(processorMs, 1e3 * double(std::clock() - start) / CLOCKS_PER_SEC);
    };
    timeOnHost(build, 2);
    atMost("octree of 1,048,576 bodies, " + std::to_string(threads) + " threads, processor time",
           processorMs,
           500,
           "ms");
  }
}
