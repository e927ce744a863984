/// \file
/// The options of step 05.
#pragma once

#include "05_triangular_map/block_map.hpp"
#include "cuda/launch.hpp"
#include "driver/defaults.hpp"
#include "driver/step_options.hpp"

namespace nbody::inline NBODY_PRECISION::triangular {

enum class Reduction {
  atomic,
  ordered  ///< the same bits in every run
};

enum class EqualMasses {
  used,  ///< the loop does without them if all masses are equal
  ignored
};

struct Options : OptionsOf<Options> {
  static constexpr ForceNeeds kNeeds = {.workspace = true};

  BlockMap map = BlockMap::lambda;
  Reduction reduction = Reduction::atomic;
  EqualMasses equalMasses = EqualMasses::used;
  int bodiesPerThread = 0;  ///< 0: chosen for the GPU and the number of bodies
  int block = 64;  ///< threads
  int storedMib = 0;  ///< memory for the sums of an ordered reduction; 0: chosen

  std::vector<Option> list() override {
    return {
        wordOption("map",
                   map,
                   "how a block finds its tile\n"
                   "  lambda: with a square root\n"
                   "  box: blocks for the whole square; those above the diagonal do nothing\n"
                   "  rectangle: the triangle is folded into a rectangle\n"
                   "  recursive: the triangle is divided into squares, again and again",
                   {{"lambda", BlockMap::lambda},
                    {"box", BlockMap::box},
                    {"rectangle", BlockMap::rectangle},
                    {"recursive", BlockMap::recursive}}),
        wordOption("reduction",
                   reduction,
                   "how blocks add their sums\n"
                   "  atomic: with atomic additions, in any order\n"
                   "  ordered: in a fixed order, with the same bits in every run",
                   {{"atomic", Reduction::atomic}, {"ordered", Reduction::ordered}}),
        wordOption("equal-masses",
                   equalMasses,
                   "what the kernel does if all masses are equal\n"
                   "  used: it multiplies by the mass once, after the loop\n"
                   "  ignored: it multiplies in the loop, as with different masses",
                   {{"used", EqualMasses::used}, {"ignored", EqualMasses::ignored}}),
        listOption("bodies-per-thread", bodiesPerThread, "bodies per thread", BodyCounts::list()),
        // At most two warps, because the sum of three partial sums depends on their order.
        listOption("block", block, "threads per block", {32, 64}),
        powerOfTwoOption("stored-mib", storedMib, "MiB for --reduction ordered", kMaxMemoryMib)};
  }

  void resolve(const Workload& work) override {
    if (!work.equalMasses) equalMasses = EqualMasses::ignored;
    if (bodiesPerThread == 0) bodiesPerThread = bestBodiesPerThread(work);
    if (storedMib == 0) storedMib = quarterOfFreeMemory();
  }

  /// Returns the largest number with at least 14 tiles per multiprocessor (swept on an H200).
  static int bestBodiesPerThread(const Workload& work) {
    constexpr int kBlock = 64;
    for (int bodies : {8, 4, 2}) {
      const long long tiles = blocksFor(work.bodies, kBlock * bodies);
      if (tiles * (tiles + 1) / 2 >= 14LL * work.multiprocessors) return bodies;
    }
    return 1;
  }
};

}  // namespace nbody::inline NBODY_PRECISION::triangular
