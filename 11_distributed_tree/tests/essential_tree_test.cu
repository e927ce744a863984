// A rank of step 11 is sent all that its walk can need of the others' trees.
#include "11_distributed_tree/graft.cuh"
#include "bodies/random.hpp"
#include "bodies/scenes.hpp"
#include "bodies/vectors.hpp"
#include "catch.hpp"
#include "07_device_tree/tests/downloaded_tree.hpp"
#include "options.hpp"

namespace nbody::inline NBODY_PRECISION::distributed_tree {

// The trees of a few ranks in one process: built, cut for each other and hung onto the
// first's.

/// A rank's share, its tree under the root of all, and what it sends each other rank.
struct RankTree {
  DeviceArray<real4> bodies;
  DeviceBuffer<real> previous{"previous accelerations"};
  TunedTree octree;
  RemoteCapacity capacity;
  DeviceBuffer<SentCell> cells{"cells"};
  DeviceBuffer<real4> sentBodies{"sent bodies"};
  DeviceBuffer<int> nodeNumbers{"numbers of nodes"};
  DeviceBuffer<SentCounts> counts{"counts"};
  OutgoingTrees sent = {};

  explicit RankTree(const std::vector<real4>& own) : bodies(own.size(), "bodies") {
    bodies.upload(own);
  }

  void build(const Extent& all, const Options& options, Random& random) {
    std::vector<real> values;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      values.push_back(static_cast<real>(std::pow(10, random.uniform(-2, 2))));
    previous.upload(values);
    PhaseClock clock(false);
    octree.build(all, bodies, options, previous.data(), clock, capacity.spare());
  }

  void cut(const BoundaryBox* boxes, CoverLevels levels, int rank, int others) {
    const int capacity = 4 * static_cast<int>(bodies.size()) + 16;
    sent = {cells.reserve(others * capacity),
            sentBodies.reserve(others * capacity),
            nodeNumbers.reserve(others * capacity),
            counts.reserve(others),
            capacity,
            capacity};
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
    ranks[0].capacity.grow(2 * most, most);
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
      REQUIRE(count.cells <= from.sent.cellCapacity);
      REQUIRE(count.bodies <= from.sent.bodyCapacity);
      remotes.push_back({count.cells, 1 + count.nodesAbove(kKeyLevels + 2), count.bodies});
      const auto theirs = from.cells.download(row * from.sent.cellCapacity, count.cells);
      const auto more = from.sentBodies.download(row * from.sent.bodyCapacity, count.bodies);
      cells.insert(cells.end(), theirs.begin(), theirs.end());
      bodies.insert(bodies.end(), more.begin(), more.end());
    }
    TunedTree& octree = ranks[0].octree;
    const Tree& tree = octree.tree();
    REQUIRE(
        !ranks[0].capacity.grow(static_cast<int>(cells.size()), static_cast<int>(bodies.size())));
    DeviceBuffer<SentCell> received{"received"};
    DeviceBuffer<int> roots{"roots"};
    received.upload(cells);
    copyToDevice(tree.sorted.bodies + tree.sorted.count, bodies.data(),
                 bodies.size() * sizeof(real4));
    distributed_tree::graft(octree, received.data(), placesOf(remotes, tree), roots);
    synchronizeDevice();
  }
};

}  // namespace nbody::inline NBODY_PRECISION::distributed_tree

using namespace nbody;
using namespace nbody::distributed_tree;

namespace {

using Counts = std::vector<unsigned long long>;

Options optionsOf(Opening opening, double theta) {
  Options options;
  options.opening = opening;
  options.theta = theta;
  options.leaf = 8;
  options.group = 16;
  options.resolve({});
  return options;
}

/// The result of the first rank's walk.
struct Walked {
  std::vector<real4> accelerations;
  Counts counted;
};

Walked walked(RankTree& rank, int remotes) {
  const Tree& tree = rank.octree.tree();
  DeviceArray<real4> accelerations(rank.bodies.size(), "accelerations");
  DeviceBuffer<unsigned long long> totals{"totals"};
  const auto walk = tree::walkOf(tree, real(1e-4), accelerations.data(), rank.octree.rule(nullptr),
                                 walk::clearedCounter(totals), depthWith(remotes));
  fillDevice(walk.nextGroup, 0, sizeof(int));
  launchFusedWalk(walk, blocksFor(tree.sorted.count, tree.cells.group), true);
  REQUIRE(rank.octree.state().fullAt == 0);
  return {accelerations.download(), totals.download(0, 4)};
}

void requireAllThatIsNeeded(RankTrees& trees) {
  const int remotes = static_cast<int>(trees.ranks.size()) - 1;
  const Walked alone = walked(trees.ranks[0], remotes);
  trees.graft();
  const Walked sent = walked(trees.ranks[0], remotes);
  trees.cutNothing();
  trees.graft();
  const Walked whole = walked(trees.ranks[0], remotes);
  REQUIRE(whole.counted[0] > alone.counted[0]);
  REQUIRE(sent.counted == whole.counted);
  // Both walks add up the same pulls, in different orders.
  constexpr double kTolerance = 1000 * std::numeric_limits<real>::epsilon();
  for (std::size_t i = 0; i < whole.accelerations.size(); ++i) {
    const real4 a = sent.accelerations[i], b = whole.accelerations[i];
    const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    const double length = std::sqrt(double(b.x * b.x + b.y * b.y + b.z * b.z));
    REQUIRE(std::sqrt(x * x + y * y + z * z) <= kTolerance * length);
  }
}

}  // namespace

TEST_CASE("a walk finds in what a rank was sent what it finds in the whole trees") {
  for (const char* scene : {"plummer", "cube", "collision"})
    for (int ranks : {2, 3, 10})
      for (double theta : {0.4, 1.2})
        for (Opening opening : {Opening::distance, Opening::relative}) {
          INFO(scene << ", " << ranks << " ranks, theta " << theta);
          RankTrees trees(sceneNamed(scene).make(500, 3), ranks, optionsOf(opening, theta));
          requireAllThatIsNeeded(trees);
        }
}

// All of them take racecheck more than two minutes.
TEST_CASE("a walk finds what it needs in a few ranks' trees", "[sanitizer]") {
  for (Opening opening : {Opening::distance, Opening::relative}) {
    RankTrees trees(makePlummer(1000, 3), 3, optionsOf(opening, 0.4));
    requireAllThatIsNeeded(trees);
  }
}

TEST_CASE("a rank is sent less than the whole tree of another") {
  const auto share = [](const Bodies& bodies) {
    RankTrees trees(bodies, 2, optionsOf(Opening::distance, 1));
    const RankTree& other = trees.ranks[1];
    return double(other.counts.download(0, 1)[0].bodies) / other.bodies.size();
  };
  const double ofCube = share(makeCube(4000, 4)), ofSphere = share(makePlummer(20000, 4));
  CHECK(ofCube > 0);
  CHECK(ofCube < 0.8);
  // Its outer groups are far from each other: a box around a run of them would hold the middle.
  CHECK(ofSphere > 0);
  CHECK(ofSphere < 0.25);
}
