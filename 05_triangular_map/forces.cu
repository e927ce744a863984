/// \file
/// Step 05, the triangular map: computes each pair of tiles once (Newton's third law), so that one
/// reciprocal square root serves two interactions.
///
/// Parent: 02_tiled. Source: Navarro et al., "A Non-linear GPU Thread Map for Triangular Domains",
/// and GPU Gems 3, chapter 31, footnote 1, which does not use the symmetry. Predicted limiter:
/// issue, 17 + 4/K slots for two interactions with K bodies in a thread.
#include "05_triangular_map/pairs.cuh"
#include "driver/step.hpp"

namespace nbody::inline NBODY_PRECISION::triangular {

struct Workspace {
  StoredSums sums;
};

std::shared_ptr<Workspace> makeWorkspace() { return std::make_shared<Workspace>(); }

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations,
                   Workspace& workspace) {
  const int count = static_cast<int>(bodies.size());
  const int side = options.block * options.bodiesPerThread;
  const int tiles = blocksFor(count, side);
  const AnyMap map(options.map, tiles);
  const Pairs pairs = {bodies.data(), count, bodies.data(), count, softeningSquared};
  const bool equal = options.equalMasses == EqualMasses::used;
  real4* sums = accelerations.data();
  const auto launch = [&](const PairSums& result) {
    launchPairs(map, pairs, options.block, options.bodiesPerThread, equal, result, stream());
  };
  if (options.reduction == Reduction::atomic) {
    accelerations.clear();
    return launch({0, tiles, side, count, sums, sums});
  }
  const std::size_t capacity = static_cast<std::size_t>(options.storedMib) << 20;
  const int rows = StoredSums::rowsWithin(capacity, tiles, side);
  for (int first = 0; first < tiles; first += rows) {
    const int end = std::min(first + rows, tiles);
    const PairSums stored = workspace.sums.stored({first, end, side, count, sums, sums}, tiles);
    launch(stored);
    addInOrder<<<blocksFor(count, 128), 128, 0, stream()>>>(stored);
    CUDA_CHECK(cudaGetLastError());
  }
}

}  // namespace nbody::inline NBODY_PRECISION::triangular
