/// \file
/// The trees of a few ranks of step 08 in one process: built, cut for each other and hung onto the
/// first's.
#pragma once

#include "bodies/random.hpp"
#include "bodies/vectors.hpp"
#include "catch.hpp"
#include "downloaded_tree.hpp"
#include "let/graft.cuh"
#include "options.hpp"

namespace nbody {

/// A rank's share, its tree under the root of all, and what it sends each other rank.
struct RankTree {
  DeviceArray<real4> bodies;
  DeviceBuffer<real> felt{"felt"};
  TunedTree octree;
  RemoteRoom room;
  DeviceBuffer<SentCell> cells{"cells"};
  DeviceBuffer<real4> sentBodies{"sent bodies"};
  DeviceBuffer<int> words{"words"};
  DeviceBuffer<SentCounts> counts{"counts"};
  OutgoingTrees sent = {};

  explicit RankTree(const std::vector<real4>& own) : bodies(own.size(), "bodies") {
    bodies.upload(own);
  }

  void build(const Extent& all, const Options& options, Random& random) {
    std::vector<real> values;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      values.push_back(static_cast<real>(std::pow(10, random.uniform(-2, 2))));
    felt.upload(values);
    PhaseClock clock(false);
    octree.build(all, bodies, options, felt.data(), clock, room.spare());
  }

  void cut(const BoundaryBox* boxes, CoverLevels levels, int rank, int others) {
    const int room = 4 * static_cast<int>(bodies.size()) + 16;
    sent = {cells.reserve(others * room),
            sentBodies.reserve(others * room),
            words.reserve(others * room),
            counts.reserve(others),
            room,
            room};
    launchCut(octree, boxes, levels, rank, others, sent);
  }
};

/// Trees of \p count ranks with ranges of the space-filling order: neighbours on both sides of
/// borders.
struct RankTrees {
  std::vector<RankTree> ranks;
  Options options;
  CoverLevels levels;
  DeviceBuffer<BoundaryBox> boxes{"boxes"};

  RankTrees(const Bodies& bodies, int count, const Options& given)
      : options(given), levels(static_cast<int>(bodies.count()) / count, given.group) {
    const std::vector<real4> all = converted<real4>(bodies.positions);
    DeviceArray<real4> device(all.size(), "all bodies");
    device.upload(all);
    TunedTree whole;
    PhaseClock clock(false);
    const Extent extent = whole.extentOf(device, device.data(), options);
    whole.sort(extent, device, options, clock);
    const std::vector<int> order = tree::downloaded(whole.tree().sorted.order, all.size());
    for (int rank = 0; rank < count; ++rank) {
      std::vector<real4> own;
      for (std::size_t k = all.size() * rank / count; k < all.size() * (rank + 1) / count; ++k)
        own.push_back(all[order[k]]);
      ranks.emplace_back(own);
    }
    Random random(5);
    boxes.reserve(count * levels.count());
    const int most = static_cast<int>(all.size());
    ranks[0].room.grow(2 * most, most);
    for (int rank = 0; rank < count; ++rank) {
      ranks[rank].build(extent, options, random);
      setBoundary(&ranks[rank].octree, levels, boxes.data() + rank * levels.count());
    }
    cut();
  }

  /// Not the first rank's, which is not whole any more once others' are hung onto it.
  void cut() {
    const int count = static_cast<int>(ranks.size());
    for (int rank = 1; rank < count; ++rank) ranks[rank].cut(boxes.data(), levels, rank, count - 1);
  }

  /// Cuts as if all cells were near all groups of the first rank, and none near the others'.
  void cutNothing() {
    constexpr real kFarAway = 1e6f;
    const BoundaryBox everywhere = {{-kFarAway, -kFarAway, -kFarAway, kFarAway},
                                    {kFarAway, kFarAway, kFarAway, 0}};
    const BoundaryBox nowhere = {{kFarAway, kFarAway, kFarAway, 0},
                                 {-kFarAway, -kFarAway, -kFarAway, 0}};
    std::vector<BoundaryBox> all(ranks.size() * levels.count(), nowhere);
    std::fill_n(all.begin(), levels.count(), everywhere);
    boxes.upload(all);
    cut();
  }

  /// Makes what the first rank received a part of its tree.
  void graft() {
    std::vector<SentCell> cells;
    std::vector<real4> bodies;
    std::vector<RemoteCounts> remotes;
    const int others = static_cast<int>(ranks.size()) - 1;
    for (int rank = 1; rank <= others; ++rank) {
      const RankTree& from = ranks[rank];
      const int row = others - rank;  // of the message for the rank that many further on
      const SentCounts count = from.counts.download(row, 1)[0];
      REQUIRE(count.cells <= from.sent.cellRoom);
      REQUIRE(count.bodies <= from.sent.bodyRoom);
      remotes.push_back({count.cells, 1 + count.nodesAbove(kKeyLevels + 2), count.bodies});
      const auto theirs = from.cells.download(row * from.sent.cellRoom, count.cells);
      const auto more = from.sentBodies.download(row * from.sent.bodyRoom, count.bodies);
      cells.insert(cells.end(), theirs.begin(), theirs.end());
      bodies.insert(bodies.end(), more.begin(), more.end());
    }
    TunedTree& octree = ranks[0].octree;
    const Tree& tree = octree.tree();
    REQUIRE(!ranks[0].room.grow(static_cast<int>(cells.size()), static_cast<int>(bodies.size())));
    DeviceBuffer<SentCell> received{"received"};
    DeviceBuffer<int> roots{"roots"};
    received.upload(cells);
    copyToDevice(tree.sorted.bodies + tree.sorted.count, bodies.data(),
                 bodies.size() * sizeof(real4));
    nbody::graft(octree, received.data(), placesOf(remotes, tree), roots);
    synchronizeDevice();
  }
};

}  // namespace nbody
