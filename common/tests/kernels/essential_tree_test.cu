// What a rank of step 08 is sent of the others' trees is all that its walk can need of them.
#include "bodies/random.hpp"
#include "bodies/scenes.hpp"
#include "device_tree.hpp"
#include "fused/fused_walk.cuh"
#include "let/forest.cuh"
#include "options.hpp"

using namespace nbody;

namespace {

using Counts = std::vector<unsigned long long>;

Options optionsOf(Opening opening, double theta) {
  Options options;
  options.exchange = Exchange::tree;
  options.opening = opening;
  options.theta = theta;
  options.leaf = 8;
  options.group = 16;
  options.resolve({});
  return options;
}

void ignore(const char*) {}

/// A rank's share, its tree under the root of all, and what it sends each other rank.
struct RankTree {
  DeviceArray<real4> bodies;
  DeviceBuffer<real> felt{"felt"};
  DeviceOctree octree;
  DeviceBuffer<SentCell> cells{"cells"};
  DeviceBuffer<real4> sentBodies{"sent bodies"};
  DeviceBuffer<int> words{"words"};
  DeviceBuffer<SentCounts> counts{"counts"};
  SentTrees sent = {};

  explicit RankTree(const std::vector<real4>& own) : bodies(own.size(), "bodies") {
    bodies.upload(own);
  }

  void build(const Extent& all, const Options& options, Random& random) {
    std::vector<real> values;
    for (std::size_t i = 0; i < bodies.size(); ++i)
      values.push_back(static_cast<real>(std::pow(10, random.uniform(-2, 2))));
    felt.upload(values);
    octree.build(all, bodies, options, felt.data(), ignore);
  }

  void cut(const BoundaryBox* boxes, BoundaryLevels levels, int rank, int others) {
    const int room = 4 * static_cast<int>(bodies.size()) + 16;
    sent = {cells.reserve(others * room),
            sentBodies.reserve(others * room),
            words.reserve(others * room),
            counts.reserve(others),
            room,
            room};
    launchCut(octree, boxes, levels, rank, others, sent, stream());
  }
};

/// Trees of \p ranks ranks with ranges of the space-filling order: neighbours on both sides of borders.
struct RankTrees {
  std::vector<RankTree> ranks;
  Options options;
  DeviceBuffer<BoundaryBox> boxes{"boxes"};

  RankTrees(const Bodies& bodies, int count, const Options& given) : options(given) {
    const std::vector<real4> all = converted<real4>(bodies.positions);
    DeviceArray<real4> device(all.size(), "all bodies");
    device.upload(all);
    DeviceOctree whole;
    const Extent extent = whole.extentOf(device, device.data(), options);
    whole.sort(extent, device, options, nullptr, ignore);
    const std::vector<int> order = downloaded(whole.arrays().order, all.size());
    for (int rank = 0; rank < count; ++rank) {
      std::vector<real4> own;
      for (std::size_t k = all.size() * rank / count; k < all.size() * (rank + 1) / count; ++k)
        own.push_back(all[order[k]]);
      ranks.emplace_back(own);
    }
    Random random(5);
    const BoundaryLevels levels(static_cast<int>(all.size()) / count, options.group);
    boxes.reserve(count * levels.count());
    for (int rank = 0; rank < count; ++rank) {
      ranks[rank].build(extent, options, random);
      setBoundary(&ranks[rank].octree.arrays(), levels, boxes.data() + rank * levels.count());
    }
    for (int rank = 0; rank < count; ++rank) ranks[rank].cut(boxes.data(), levels, rank, count - 1);
  }

  /// What the first rank received.
  void graft(Forest& forest) {
    const int others = static_cast<int>(ranks.size()) - 1;
    std::vector<SentCell> cells;
    std::vector<real4> bodies;
    std::vector<Grafted> trees;
    int node = topNodes(others);
    for (int rank = 1; rank <= others; ++rank) {
      const RankTree& from = ranks[rank];
      const int row = others - rank;  // of the message for the rank that many further on
      const SentCounts count = from.counts.download(row, 1)[0];
      REQUIRE(count.cells <= from.sent.cellRoom);
      REQUIRE(count.bodies <= from.sent.bodyRoom);
      trees.push_back({count.cells, node, static_cast<int>(bodies.size())});
      node += 1 + count.nodesAbove(kKeyLevels + 2);
      const auto theirs = from.cells.download(row * from.sent.cellRoom, count.cells);
      const auto more = from.sentBodies.download(row * from.sent.bodyRoom, count.bodies);
      cells.insert(cells.end(), theirs.begin(), theirs.end());
      bodies.insert(bodies.end(), more.begin(), more.end());
    }
    DeviceBuffer<SentCell> received{"received"};
    received.upload(cells);
    forest.clear(node, static_cast<int>(bodies.size()), stream());
    copyToDevice(forest.bodies(), bodies.data(), bodies.size() * sizeof(real4));
    forest.graft(received.data(), trees, stream());
    synchronizeDevice();
  }
};

/// The first rank's walks, added up.
struct Walks {
  RankTree& rank;
  DeviceArray<real4> accelerations{rank.bodies.size(), "accelerations"};
  DeviceBuffer<unsigned long long> totals{"totals"};

  explicit Walks(RankTree& of) : rank(of) {
    accelerations.clear();
    totals.upload(Counts(4));
  }

  void walk(TreeView tree, const real4* sources, const real2* reaches) {
    const TreeArrays& own = rank.octree.arrays();
    tree.groups = own.groups;
    FusedWalk<OpensByReach> walk = {
        tree, own.bodies, own.order, real(1e-4), accelerations.data(), {reaches, own.eases}};
    walk.sources = sources;
    walk.adds = true;
    walk.capacity = fusedStackFor(Forest::depth(10));
    walk.groups = &own.state->groups;
    walk.nextGroup = &own.state->nextGroup;
    walk.fullAt = &own.state->fullAt;
    walk.totals = totals.data();
    fillDevice(walk.nextGroup, 0, sizeof(int));
    launchFusedWalk(walk, blocksFor(own.count, own.group), true);
    REQUIRE(rank.octree.state().fullAt == 0);
  }

  Counts counted() const { return totals.download(0, 4); }
};

void requireAllThatIsNeeded(RankTrees& trees) {
  Forest forest;
  trees.graft(forest);
  Walks sent(trees.ranks[0]), whole(trees.ranks[0]);
  sent.walk(forest.view(nullptr), forest.bodies(), forest.reaches());
  for (std::size_t rank = 1; rank < trees.ranks.size(); ++rank) {
    const DeviceOctree& octree = trees.ranks[rank].octree;
    whole.walk(octree.view(), octree.arrays().bodies, octree.arrays().reaches);
  }
  REQUIRE(whole.counted()[0] > 0);
  REQUIRE(sent.counted() == whole.counted());
  const std::vector<real4> found = sent.accelerations.download();
  const std::vector<real4> all = whole.accelerations.download();
  // The same pulls, added up in another order.
  constexpr double kTolerance = 1000 * std::numeric_limits<real>::epsilon();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double length =
        std::sqrt(all[i].x * all[i].x + all[i].y * all[i].y + all[i].z * all[i].z);
    const double x = found[i].x - all[i].x, y = found[i].y - all[i].y, z = found[i].z - all[i].z;
    REQUIRE(std::sqrt(x * x + y * y + z * z) <= kTolerance * length);
  }
}

}  // namespace

TEST_CASE("a walk finds in what a rank was sent what it finds in the whole trees", "[sanitizer]") {
  for (const char* scene : {"plummer", "cube", "collision"})
    for (int ranks : {2, 3, 10})
      for (double theta : {0.3, 0.6, 1.2})
        for (Opening opening : {Opening::distance, Opening::felt}) {
          INFO(scene << ", " << ranks << " ranks, theta " << theta);
          RankTrees trees(sceneNamed(scene).make(1000, 3), ranks, optionsOf(opening, theta));
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
