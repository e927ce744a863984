/// \file
/// Domain decomposition along the Hilbert curve.
#pragma once

#include "11_distributed_tree/boundary.cuh"
#include "11_distributed_tree/rank_work.hpp"
#include "ranks/communicator.hpp"

namespace nbody::inline NBODY_PRECISION::distributed_tree {

/// Work in FLOP.
using Work = unsigned long long;

/// A body that moves to another rank.
struct alignas(sizeof(real4)) MigratingBody {
  real4 body;
  real3 velocity;
  real previousAcceleration;
  int index;  ///< among all bodies
  unsigned work;
};
static_assert(sizeof(MigratingBody) == 3 * sizeof(real4));

/// Number of keys with which a rank divides its work evenly. All ranks' keys give the borders.
constexpr int kSamples = 1024;
struct Samples {
  std::uint64_t keys[kSamples];
  Work work;  ///< work of all bodies of the rank
};

/// Distributes the bodies among the ranks. All functions are collective.
class Decomposition {
 public:
  explicit Decomposition(const RankWork& work);

  /// Gives each rank a range of the space-filling order with an equal share of the work.
  /// \param all   extent of all ranks' bodies
  /// \param tree  loses its keys and order
  void decompose(const Extent& all, TunedTree& tree, OwnBodies& own);

  /// Moves each body to the rank whose range it has entered. \p all must have the same root cube.
  void migrate(const Extent& all, TunedTree& tree, OwnBodies& own);

  /// Keeps the work of the last counted walk for decompose(): FLOP per body of each group of \p tree. It
  /// moves with the bodies, so not every walk has to count. Before the first walk it is 1.
  void setWork(const TunedTree& tree, const Work* ofGroups);

  /// Returns the length of each of this rank's bodies' last acceleration; 0: none yet.
  real* previousAccelerations() { return previous_.data(); }
  std::vector<int> indices() const { return indices_.download(); }

 private:
  void sort(const Extent& all, TunedTree& tree, const OwnBodies& own) const;
  Samples samplesOf(const TunedTree& tree);
  /// Returns where each rank's bodies begin in the space-filling order, and last where they end.
  std::vector<int> firstsOf(const TunedTree& tree);
  /// Sends bodies, sorted in \p tree, to their ranks.
  void exchange(const TunedTree& tree, OwnBodies& own);
  /// Sends leaving bodies to their ranks, which begin at \p firsts. Returns this rank's new count.
  int migrate(const std::vector<int>& firsts);
  int count() const { return static_cast<int>(indices_.size()); }

  const RankWork& work_;
  DeviceArray<int> indices_;
  DeviceArray<real> previous_;
  DeviceArray<unsigned> workOfBodies_;
  DeviceBuffer<Work> sortedWork_{"work in the space-filling order"};
  DeviceBuffer<unsigned char> scratch_{"scratch of the prefix sum"};
  DeviceBuffer<Samples> samples_{"keys that share the work evenly"};
  DeviceBuffer<std::uint64_t> borders_{"least keys of ranks"};
  DeviceBuffer<int> firsts_{"first bodies of ranks"};
  DeviceBuffer<MigratingBody> leaving_{"bodies that leave"}, coming_{"bodies that come"};
};

}  // namespace nbody::inline NBODY_PRECISION::distributed_tree
