/// \file
/// Tests of step 07's tree and of its tuned version. Files that include this one define BuiltTree:
///
///     void build(const DeviceArray<real4>& bodies, const Options& options);
///     bool lackedMemory();
///     const tree::TreeMemory& memory() const;
///     std::string faultOfRoot(const RootCube& root, const std::vector<Double4>& bodies);
///     auto radii(const DownloadedTree& tree);  // data for the opening rule of the walk
///     bool opensAsIn(radii, const FoundCell& found, const walk::Cell& host, options, double largest);
#pragma once

#include <cstdlib>

#include "bodies/random.hpp"
#include "cuda/graph.hpp"
#include "06_tree_walk/tests/octree_inputs.hpp"
#include "step_run.hpp"
#include "tree_faults.hpp"

namespace {

Options optionsOf(int leaf, int group) {
  Options options;
  options.leaf = leaf;
  options.group = group;
  options.resolve({});
  return options;
}

/// Returns an integer from \p least to \p most; small ones are as likely as large ones.
int anyNumber(Random& random, int least, int most) {
  return static_cast<int>(least * std::pow(double(most + 1) / least, random.uniform()));
}

/// Returns bodies in cubes of very different size, on lines, planes or lattices, several at one
/// place, with equal, very unequal or no masses.
std::vector<Double4> anyBodies(Random& random) {
  const int count = anyNumber(random, 1, 500);
  const int places = anyNumber(random, 1, 8);
  const int dimensions = anyNumber(random, 1, 3);
  const double repeated = random.uniform() < 0.5 ? 0 : random.uniform();
  const double lattice = random.uniform() < 0.7 ? 0 : std::pow(2, -anyNumber(random, 1, 8));
  const int masses = anyNumber(random, 1, 4);
  std::vector<Double4> centres, bodies;
  for (int k = 0; k < places; ++k)
    centres.push_back({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                       std::pow(10, random.uniform(-6, random.uniform() < 0.2 ? 6 : 0))});
  for (int i = 0; i < count; ++i) {
    const Double4& c = centres[static_cast<int>(random.uniform() * places)];
    Double4 b = {c.x + c.w * random.uniform(-1, 1), c.y, c.z, 1};
    if (dimensions > 1) b.y += c.w * random.uniform(-1, 1);
    if (dimensions > 2) b.z += c.w * random.uniform(-1, 1);
    if (lattice > 0)
      for (double* x : {&b.x, &b.y, &b.z}) *x = std::round(*x / lattice) * lattice;
    if (i > 0 && random.uniform() < repeated) b = bodies[static_cast<int>(random.uniform() * i)];
    if (masses == 2) b.w = std::pow(10, random.uniform(-6, 6));
    if (masses == 3) b.w = random.uniform() < 0.5;
    if (masses == 4) b.w = 0;
    bodies.push_back(b);
  }
  return bodies;
}

/// Returns bodies with chains of nested cells: their tree has more nodes than fit into 1 MiB.
Bodies chains() {
  std::vector<Double4> bodies;
  for (int c = 0; c < 216; ++c)
    for (int k = 0; k < 18; ++k) {
      const double step = std::ldexp(1, -4 - k);
      bodies.push_back({c % 6 / 6.0 + step, c / 6 % 6 / 6.0 + step, c / 36 / 6.0 + step, 1e-3});
    }
  return bodiesAt(bodies);
}

}  // namespace

TEST_CASE("the device's tree is the host's, of bodies that are hard on a tree") {
  BuiltTree built;
  for (const OctreeInput& input : octreeInputs())
    for (auto [leaf, group] : {std::pair{24, 64}, {2, 2}}) {
      INFO(input.name << ", leaf " << leaf << ", group " << group);
      for (const auto& options : rulesOf(optionsOf(leaf, group)))
        REQUIRE(faultOfTree(built, input.positions, options) == "");
    }
}

TEST_CASE("the device's tree is the host's, of random bodies", "[random]") {
  const char* asked = std::getenv("NBODY_RANDOM_TREES");
  const int trees = asked == nullptr ? 150 : std::atoi(asked);
  Random random(31);
  BuiltTree built;
  for (int k = 0; k < trees; ++k) {
    const std::vector<Double4> bodies = anyBodies(random);
    const int leaf = anyNumber(random, 2, 64), group = anyNumber(random, 2, 128);
    INFO("tree " << k << ", " << bodies.size() << " bodies, leaf " << leaf << ", group " << group);
    REQUIRE(faultOfTree(built, bodies, optionsOf(leaf, group)) == "");
  }
}

TEST_CASE("a tree without room for its nodes is built again with more") {
  const Bodies bodies = chains();
  DeviceArray<real4> device(bodies.count(), "bodies");
  device.upload(converted<real4>(bodies.positions));
  auto options = optionsOf(2, 64);
  options.treeMemory = 1;
  BuiltTree built;
  built.build(device, options);
  const TreeState before = built.memory().state();
  CHECK(before.nodes == 0);  // neither a tree nor part of one
  CHECK(before.groups == 0);
  CHECK(before.nodesRequested > built.memory().tree().cells.nodeCapacity);
  REQUIRE(built.lackedMemory());
  built.build(device, options);
  CHECK_FALSE(built.lackedMemory());
  CHECK(built.memory().state().nodes == before.nodesRequested);

  const auto after = [&](const std::string& memory) {
    return advanced(*simulationOf(bodies, "leaf 2 tree-memory " + memory), bodies, 1e-4, 2);
  };
  const Bodies little = after("1"), enough = after("64");
  CHECK(sameBits(little.positions, enough.positions));
  CHECK(sameBits(little.velocities, enough.velocities));
}

TEST_CASE("a walk that opens every cell tests each of the tree once") {
  const std::string rule = GENERATE_COPY(from_range(kRules));
  const Bodies bodies = makePlummer(1000, 3);
  const auto parts = simulationOf(bodies, "theta 0.001 leaf 8" + rule)->computeForcesInPhases();
  REQUIRE(parts);
  const auto metric = [&](const char* name) { return metricOf(*parts, name); };
  // The node above the root is opened, but is not a cell.
  const double tested = metric("opened a group") + metric("nodes a group") + metric("leaves a group") - 1;
  CHECK(tested == metric("cells"));
  CHECK(metric("opened a group") > 1);
}

TEST_CASE("forces in one graph are those of one call after the other, to the last bit") {
  const Bodies bodies = makePlummer(700, 3);
  DeviceArray<real4> device(700, "bodies"), accelerations(700, "accelerations");
  device.upload(converted<real4>(bodies.positions));
  for (const auto& options : rulesOf(optionsOf(8, 64))) {
    const auto memory = makeWorkspace();
    const auto compute = [&] {
      computeForces(device, real(1e-4), options, accelerations, *memory, nullptr);
    };
    for (int k = 0; k < 4; ++k) compute();  // until the accelerations no longer change
    const std::vector<real4> expected = accelerations.download();
    Graph graph(compute, 1);
    accelerations.poison();
    graph.launch();
    CHECK(sameBits(accelerations.download(), expected));
  }
}

TEST_CASE("forces agree with FP64 for bodies that are hard on a tree", "[sanitizer]") {
  for (OctreeInput& input : octreeInputs()) {
    // One cell's octupole, 4 x^3 of its pull at x = theta / 2, dominates here. In FP64, and on a
    // GPU in FP32, the error exceeds the bound for many cells.
    if (input.name == "12 orders of magnitude") continue;
    input.positions.resize(std::min<std::size_t>(input.positions.size(), 300));
    INFO(input.name);
    requireCorrect(bodiesAt(input.positions), kRules.front() + " theta 0.001 leaf 4 group 16");
  }
}
