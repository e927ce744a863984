// What step 07's cells are opened by: another root for other bodies, what groups felt, and both in the walk.
#include "bodies/scenes.hpp"
#include "driver/step.hpp"
#include "step_run.hpp"
#include "tree_faults.hpp"

using namespace nbody;

namespace {

Options optionsOf(Opening opening) {
  Options options;
  options.leaf = 8;
  options.opening = opening;
  options.resolve({});
  return options;
}

/// The groups of a tree, and how near they open its cells.
struct Opened {
  std::vector<GroupBox> groups;
  std::vector<int> order, links;
  std::vector<real4> centres;
  std::vector<real2> reaches;
  std::vector<real> eases;

  explicit Opened(const DeviceOctree& octree) {
    const TreeArrays& tree = octree.arrays();
    const TreeState state = octree.state();
    const std::size_t slots = 8 * (1 + std::size_t(state.nodes));
    groups = downloaded(tree.groups, state.groups);
    order = downloaded(tree.order, tree.count);
    links = downloaded(reinterpret_cast<const int*>(tree.links), slots);
    centres = downloaded(tree.centres, slots);
    reaches = downloaded(tree.reaches, slots);
    eases = downloaded(tree.eases, state.groups);
  }

  bool opens(int g, int slot) const {
    const GroupBox& box = groups[g];
    const real4 c = centres[slot];
    const auto apart = [](double x, double lower, double upper) {
      return std::max({lower - x, x - upper, 0.0});
    };
    const double x = apart(c.x, box.lower.x, box.upper.x);
    const double y = apart(c.y, box.lower.y, box.upper.y);
    const double z = apart(c.z, box.lower.z, box.upper.z);
    const double reach =
        std::max(double{c.w} * eases[g] + reaches[slot].x, double{reaches[slot].y});
    return std::sqrt(x * x + y * y + z * z) <= reach;
  }

  /// Of all groups together: cells that act as a whole, and leaves that are opened.
  std::pair<double, double> count() const {
    double cells = 0, leaves = 0;
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (std::vector<int> stack = {0}; !stack.empty();) {
        const int word = stack.back();
        stack.pop_back();
        for (int k = 0; k < 8; ++k) {
          const int slot = slotOf(word, k), link = links[slot];
          if (link == kNoChild) continue;
          if (!opens(static_cast<int>(g), slot)) ++cells;
          else if (link == kLeafChild) ++leaves;
          else stack.push_back(link);
        }
      }
    return {cells, leaves};
  }
};

}  // namespace

TEST_CASE("the root is another cube for other bodies, and the same for the same") {
  DeviceOctree octree;
  const auto rootOf = [&](double x) {
    std::vector<Double4> bodies = makePlummer(300, 3).positions;
    bodies[7].x += x;
    REQUIRE(faultOfTree(octree, bodies, optionsOf(Opening::felt)) == "");
    return octree.state().root;
  };
  const RootCube root = rootOf(100), other = rootOf(100.001), same = rootOf(100);
  CHECK(std::abs(root.side / other.side - 1) < 1e-4);
  for (auto side : {&double3::x, &double3::y, &double3::z}) {
    CHECK(std::abs(root.lower.*side - other.lower.*side) > 0.01 * root.side);
    CHECK(root.lower.*side == same.lower.*side);
  }
}

TEST_CASE("a group opens by the mean acceleration of its bodies, and a walk what it then reaches") {
  const Opening opening = GENERATE(Opening::felt, Opening::distance);
  const Options options = optionsOf(opening);
  const int count = 2000;
  const Bodies bodies = sceneNamed(GENERATE("plummer", "galaxy")).make(count, 3);
  DeviceArray<real4> device(count, "bodies"), accelerations(count, "accelerations");
  device.upload(converted<real4>(bodies.positions));
  const auto memory = makeWorkspace();
  const auto pull = [&] {
    return computeForcesInPhases(device, real(1e-4), options, accelerations, *memory);
  };
  std::vector<real> felt(count, 0);
  DeviceBuffer<real> feltBefore{"previous accelerations"};
  for (int step = 0; step < 3; ++step) {
    feltBefore.upload(felt);
    DeviceOctree octree;
    octree.build(device, options, feltBefore.data(), [](const char*) {});
    const Opened opened(octree);
    for (std::size_t g = 0; g < opened.groups.size(); ++g) {
      const GroupBox& box = opened.groups[g];
      double mean = 0;
      for (int k = 0; k < box.bodyCount; ++k)
        mean += felt[opened.order[box.firstBody + k]] / box.bodyCount;
      if (step == 0) mean = octree.state().density;
      const double ease = opening == Opening::felt ? std::pow(mean, -1.0 / 6) : 1;
      REQUIRE(std::abs(opened.eases[g] / ease - 1) < 1e-5);
    }
    const PhaseTimes times = pull();
    const double groups = static_cast<double>(opened.groups.size());
    const auto [cells, leaves] = opened.count();
    REQUIRE(factOf(times, "groups") == groups);
    // Where reach and distance are the same but for rounding, either is right.
    CHECK(std::abs(factOf(times, "nodes a group") * groups / cells - 1) < 1e-3);
    CHECK(std::abs(factOf(times, "leaves a group") * groups / leaves - 1) < 1e-3);
    const std::vector<real4> a = accelerations.download();
    for (int i = 0; i < count; ++i)
      felt[i] = std::sqrt(a[i].x * a[i].x + a[i].y * a[i].y + a[i].z * a[i].z);
  }
}
