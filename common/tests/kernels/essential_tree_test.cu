// A rank of step 08 is sent all that its walk can need of the others' trees.
#include "bodies/scenes.hpp"
#include "rank_trees.hpp"

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
        for (Opening opening : {Opening::distance, Opening::felt}) {
          INFO(scene << ", " << ranks << " ranks, theta " << theta);
          RankTrees trees(sceneNamed(scene).make(500, 3), ranks, optionsOf(opening, theta));
          requireAllThatIsNeeded(trees);
        }
}

// All of them take racecheck more than two minutes.
TEST_CASE("a walk finds what it needs in a few ranks' trees", "[sanitizer]") {
  for (Opening opening : {Opening::distance, Opening::felt}) {
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
