// The paper's interaction lists: what its two walks find and leave. The fused walk is tested too.
#include "06_tree_walk/paper/interaction_lists.cuh"
#include "06_tree_walk/walk/fused_walk.cuh"
#include "bodies/scenes.hpp"
#include "diagnose/targets.hpp"  // in one program with step 06: no name may be in both
#include "driver/step.hpp"
#include "step_run.hpp"

using namespace nbody;
using namespace nbody::walk;

namespace {

/// A tree on host and device, and room for its lists.
struct Walked {
  Octree tree;
  TreeLayout layout;
  DeviceTree device = {};
  InteractionLists lists = {};
  int groups = static_cast<int>(tree.groups.size());

  Walked(const Bodies& bodies, double theta, int leaf, int group,
         Grouping grouping = Grouping::cells)
      : tree(buildOctree(bodies.positions, leaf, group, grouping)), layout(layoutOf(tree, theta)) {
    device.upload(layout);
  }
  TreeView view() const { return device.view(); }
  void count() { lists.count(view(), groups, stackFor(tree.depth)); }
};

/// The fused walk of a tree, with room for what it reads and writes.
struct FusedWalked {
  DeviceBuffer<real4> sorted{"bodies"}, accelerations{"forces"};
  DeviceBuffer<int> order{"order"}, state{"state"};

  /// \param depth  of the tree, as the walk is told
  std::vector<real4> run(const Bodies& bodies, const Walked& walked, int depth) {
    const Octree& tree = walked.tree;
    std::vector<Double4> places;
    for (int body : tree.order) places.push_back(bodies.positions[body]);
    sorted.upload(converted<real4>(places));
    order.upload(tree.order);
    state.upload({walked.groups, 0, 0});
    const FusedWalk<OpensByDistance, NoCounter> walk = {walked.view(),
                                                        sorted.data(),
                                                        order.data(),
                                                        real(kSoftening * kSoftening),
                                                        accelerations.reserve(bodies.count()),
                                                        {},
                                                        {},
                                                        fusedStackFor(depth),
                                                        state.data(),
                                                        state.data() + 1,
                                                        state.data() + 2};
    launchFusedWalk(walk, walked.groups, true);
    requireNoFullStack(state.download(2, 1)[0], walk.capacity);
    return accelerations.download(0, bodies.count());
  }
};

/// Every body of \p count is in one cell of each group's lists, as a whole or one by one.
void requireEveryBodyOnce(const Bodies& bodies, double theta, int leaf, int group) {
  Walked walked(bodies, theta, leaf, group);
  const auto& [tree, layout, device, lists, groups] = walked;
  walked.count();
  for (int g = 0; g < groups; ++g) {
    walked.lists.write(walked.view(), g, g + 1);
    const auto [nodes, leaves] = lists.download(g, g + 1);
    std::vector<int> met(bodies.count(), 0);
    double mass = 0;
    for (const std::vector<int>* list : {&nodes, &leaves})
      for (int cell : *list) {
        const int2 held = layout.bodies[cell];
        mass += layout.moments[momentsOf(cell)].w;
        for (int k = held.x; k < held.x + held.y; ++k) ++met[k];
      }
    INFO(bodies.count() << " bodies, theta " << theta << ", group " << g);
    REQUIRE(std::all_of(met.begin(), met.end(), [](int times) { return times == 1; }));
    REQUIRE(std::abs(mass - tree.cells[0].mass) <= 1e-4 * tree.cells[0].mass);
    // Its own bodies are never met as a part of a whole.
    const BodyGroup& own = tree.groups[g];
    for (int cell : nodes) {
      const int2 held = layout.bodies[cell];
      REQUIRE((held.x >= own.firstBody + own.bodyCount || held.x + held.y <= own.firstBody));
    }
  }
}

}  // namespace

TEST_CASE("each group's lists have every body once") {
  for (int count : {1, 2, 33, 257, 1000})
    for (double theta : {0.001, 0.3, 0.7, 1.5}) {
      requireEveryBodyOnce(makePlummer(count, 3), theta, 16, 16);
      requireEveryBodyOnce(makeCube(count, 3), theta, 8, 32);
    }
  requireEveryBodyOnce(makePlummer(500, 4), 0.5, 2, 64);
  requireEveryBodyOnce(makePlummer(500, 4), 0.5, 64, 2);
  requireEveryBodyOnce(atOnePoint(300), 0.5, 16, 16);
}

TEST_CASE("lists beyond the memory for them are cut into batches of groups") {
  Walked walked(makePlummer(1000, 13), 0.001, 2, 2);
  walked.count();
  const std::size_t groups = walked.groups;
  CHECK(walked.lists.batches(1 << 20).size() >= 4);
  CHECK(walked.lists.batches(64 << 20) == std::vector<int>{0, walked.groups});
  CHECK(walked.lists.batches(1).size() == groups + 1);  // a group at least
}

TEST_CASE("a full stack is reported") {
  Walked walked(makePlummer(1000, 14), 0.001, 8, 8);
  checkParts(messageOf([&] { walked.lists.count(walked.view(), walked.groups, 3); }),
             {"stack of more than 3 nodes", "--leaf"});
  walked.count();
}

TEST_CASE("a full stack of the fused walk is reported") {
  const Bodies bodies = makePlummer(1000, 14);
  const Walked walked(bodies, 0.001, 2, 8);
  FusedWalked fused;
  CHECK(contains(messageOf([&] { fused.run(bodies, walked, 1); }), "stack of more than 64 nodes"));
  fused.run(bodies, walked, walked.tree.depth);
}

TEST_CASE("the bodies of batches get the same forces, to the last bit, as those of one") {
  const Bodies bodies = makePlummer(1000, 13);
  // Lists of 1,000 groups by 1,000 cells: 4 MB.
  const std::string lists = "theta 0.001 leaf 2 group 2 list-memory ";
  CHECK(sameBits(accelerationsOf(bodies, lists + "64"), accelerationsOf(bodies, lists + "1")));
}

TEST_CASE("both walks give the same forces to rounding, in every scene") {
  for (const Scene& scene : scenes()) {
    const Bodies bodies = scene.make(scene.fixedCount ? scene.fixedCount : 700, 17);
    const Walked walked(bodies, 0.5, 8, 64);
    const auto fused = converted<Double4>(FusedWalked().run(bodies, walked, walked.tree.depth));
    const auto lists = accelerationsOf(bodies, "leaf 8 grouping cells");
    double largest = 0;
    for (const Double4& a : lists) largest = std::max(largest, length(a));
    // Both sum the same pulls in different orders; N of them, of either sign.
    const double tolerance = std::sqrt(bodies.count()) * 4 * kUnitRoundoff * largest;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      INFO(scene.name << ", body " << i);
      REQUIRE(distance(fused[i], lists[i]) <= tolerance);
    }
  }
}

TEST_CASE("a second walk that finds other cells than the first is reported and stays in bounds") {
  const Bodies bodies = makePlummer(1000, 17);
  Walked coarse(bodies, 1, 8, 8), fine(bodies, 0.5, 8, 8);
  InteractionLists& lists = coarse.lists;
  const int groups = coarse.groups;
  coarse.count();
  lists.write(coarse.view(), 0, groups);
  const auto own = lists.download(0, 1);
  auto whole = lists.download(0, groups);
  const std::string more = messageOf([&] { lists.write(fine.view(), 0, 1); });
  CHECK(contains(more, "second walk of group 0 found more cells than the first walk counted"));
  // The lists of the groups after the first are as they were.
  auto after = lists.download(0, groups);
  for (auto* both : {&whole, &after}) {
    both->first.erase(both->first.begin(), both->first.begin() + own.first.size());
    both->second.erase(both->second.begin(), both->second.begin() + own.second.size());
  }
  CHECK(whole == after);

  lists.count(fine.view(), groups, stackFor(fine.tree.depth));
  const std::string fewer = messageOf([&] { lists.write(coarse.view(), 0, 1); });
  CHECK(contains(fewer, "second walk of group 0 found fewer cells than the first walk counted"));
  lists.write(fine.view(), 0, groups);
}

TEST_CASE("no index overflows in the largest tree that can be numbered") {
  constexpr int kLast = childIndex(2 * (kMaxNodes - 1), 7);
  CHECK(kLast == std::numeric_limits<int>::max());
  CHECK(momentsOf(kLast) + 1 == 16ULL * kMaxNodes - 1);  // the last element of TreeLayout::moments
}

TEST_CASE("a cell is opened wherever exact arithmetic opens it") {
  const Bodies bodies = makePlummer(1000, 15);
  const Octree tree = buildOctree(bodies.positions, 4, 4);
  for (const Cell& cell : tree.cells)
    for (double theta : {0.001, 0.5, 1.5})
      REQUIRE(openingDistance(cell, theta) >= cell.side / theta + cell.offset);
}
