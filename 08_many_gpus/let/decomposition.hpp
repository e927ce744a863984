/// \file
/// Who has which bodies, where that follows from their places.
#pragma once

#include "08_many_gpus/let/boundary.cuh"
#include "ranks/communicator.hpp"
#include "ranks/rank_forces.hpp"

namespace nbody {

/// FLOP.
using Work = unsigned long long;

/// A body on its way to another rank.
struct alignas(sizeof(real4)) MigratingBody {
  real4 body;
  real3 velocity;
  real felt;
  int index;  ///< among all bodies
  unsigned work;
};
static_assert(sizeof(MigratingBody) == 3 * sizeof(real4));

/// Keys of a rank that share its work evenly, by which the ranks agree on borders.
constexpr int kSamples = 1024;
struct Samples {
  std::uint64_t keys[kSamples];
  Work work;  ///< of all bodies
};

/// Deals bodies out among the ranks. Every rank calls each function.
class Decomposition {
 public:
  explicit Decomposition(const RankWork& work);

  /// Gives each rank a range of the space-filling order with as much work as the others'.
  /// \param all   the extent of all ranks' bodies
  /// \param tree  its keys and order are lost
  void decompose(const Extent& all, TunedTree& tree, OwnBodies& own);

  /// Gives each rank the bodies that have come into its range since; \p all has the same root cube.
  void migrate(const Extent& all, TunedTree& tree, OwnBodies& own);

  /// Keeps the work of the last walk for decompose(): FLOP per body of each group of \p tree. It travels with
  /// the bodies, so that not every walk has to count. Before the first walk each body has the work 1.
  void setWork(const TunedTree& tree, const Work* ofGroups);

  /// Returns the length of the last acceleration of each of this rank's bodies; 0: none yet.
  real* felt() { return felt_.data(); }
  std::vector<int> indices() const { return indices_.download(); }

 private:
  void sort(const Extent& all, TunedTree& tree, const OwnBodies& own) const;
  Samples samplesOf(const TunedTree& tree);
  /// Returns where each rank's bodies begin in the space-filling order, and where the last end.
  std::vector<int> firstsOf(const TunedTree& tree);
  /// Each rank's bodies, sorted in \p tree, to that rank.
  void exchange(const TunedTree& tree, OwnBodies& own);
  /// Sends each rank's of the bodies that leave, which begin at \p firsts. How many have come.
  int travel(const std::vector<int>& firsts);
  int count() const { return static_cast<int>(indices_.size()); }

  const RankWork& work_;
  DeviceArray<int> indices_;
  DeviceArray<real> felt_;
  DeviceArray<unsigned> workOfBodies_;
  DeviceBuffer<Work> sortedWork_{"work in the space-filling order"};
  DeviceBuffer<unsigned char> scratch_{"scratch of the prefix sum"};
  DeviceBuffer<Samples> samples_{"keys that share the work evenly"};
  DeviceBuffer<std::uint64_t> borders_{"least keys of ranks"};
  DeviceBuffer<int> firsts_{"first bodies of ranks"};
  DeviceBuffer<MigratingBody> leaving_{"bodies that leave"}, coming_{"bodies that come"};
};

}  // namespace nbody
