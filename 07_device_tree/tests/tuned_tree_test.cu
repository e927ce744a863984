// The tuned tree of step 07 is the host's, and what its cells are opened by: another root for other bodies, the last
// acceleration of groups, and both in the walk. The program's own file is compiled here, because the tests look into
// its memory.
#include "07_device_tree/tuned.cu"
#include "bodies/scenes.hpp"
#include "tree_faults.hpp"

using namespace nbody;
using namespace nbody::tree;
using namespace nbody::walk;
using nbody::tree::tuned::makeWorkspace;

namespace {

using Options = tree::tuned::Options;

/// The rules of opening, as settings.
const std::vector<std::string> kRules = {" opening distance", " opening relative"};
std::vector<Options> rulesOf(const Options& options) {
  std::vector<Options> rules(2, options);
  rules[0].opening = Opening::distance;
  rules[1].opening = Opening::relative;
  return rules;
}

/// Returns what is wrong with the root of \p bodies' tree; else "".
std::string faultOfMovingRoot(const RootCube& root, const std::vector<Double4>& bodies) {
  const walk::Box box = walk::tightBox(bodies.data(), static_cast<int>(bodies.size()));
  if (root.side != 2 * box.side()) return "the root's side";
  const double3 below = box.lower - root.lower;
  for (double shift : {below.x, below.y, below.z})
    if (!(shift >= 0 && shift <= box.side())) return "the root's place";
  return "";
}

/// Returns the fault of the root mean square distance of \p bodies from their centre of mass, or of
/// the density that follows; else "". The device adds squares of distances from the first body.
std::string faultOfSpread(const Spread& spread, const std::vector<Double4>& bodies) {
  double mass = 0, squares = 0, farthest = 0;
  double3 sum = {0, 0, 0};
  for (const Double4& b : bodies) {
    const double3 r = placeOf(b) - placeOf(bodies[0]);
    mass += b.w;
    sum = sum + b.w * r;
    farthest = std::max(farthest, squaredLength(r));
  }
  const double3 centre = mass == 0 ? double3{0, 0, 0} : (1 / mass) * sum;
  for (const Double4& b : bodies)
    squares += b.w * squaredLength(placeOf(b) - placeOf(bodies[0]) - centre);
  const double expected = mass == 0 ? 0 : squares / mass, found = spread.radius * spread.radius;
  if (!(std::abs(found - expected) <= 16 * bodies.size() * 0x1p-53 * farthest)) return "radius";
  const double density = found > 0 ? mass / found : 1;
  return std::abs(spread.density / density - 1) <= 1e-9 ? "" : "density";
}

class BuiltTree {
 public:
  void build(const DeviceArray<real4>& bodies, const Options& options) {
    PhaseClock clock(false);
    const Extent extent = tree.extentOf(bodies, bodies.data(), options);
    tree.build(extent, bodies, options, previousAcceleration, clock);
  }
  bool lackedMemory() { return tree.lackedMemory(); }
  const TreeMemory& memory() const { return tree.memory(); }

  std::string faultOfRoot(const RootCube& root, const std::vector<Double4>& bodies) const {
    const std::string fault = faultOfMovingRoot(root, bodies);
    return fault.empty() ? faultOfSpread(tree.spread(), bodies) : fault;
  }

  /// The offset and the least opening radius of each cell.
  std::vector<real2> radii(const DownloadedTree& found) const {
    return downloaded(tree.radii(), 8 * (1 + std::size_t(found.state.nodes)));
  }
  bool opensAsIn(const std::vector<real2>& radii, const FoundCell& found, const walk::Cell& host,
                 const Options& options, double largest) const {
    const double far = host.side / options.theta;
    const double corner = 0.5 * std::sqrt(squaredLength(host.size()));
    double scaled = far, least = corner;
    if (options.opening == Opening::relative && host.side > 0) {
      scaled *= kAccelerationReach * std::pow(host.mass / (host.side * host.side), 1.0 / 6);
      least =
          std::max(corner, far * std::min(1.0, host.side / (kLargeCell * tree.spread().radius)));
    }
    const real2 more = radii[found.cell];
    return sameRadius(found.centre.w, scaled, host.bodyCount, largest) &&
           sameRadius(more.x, host.offset, host.bodyCount, largest) &&
           sameRadius(more.y, least + host.offset, host.bodyCount, largest);
  }

  TunedTree tree;
  const real* previousAcceleration = nullptr;
};

}  // namespace

#include "built_tree_cases.hpp"

namespace {

Options optionsOf(Opening opening) {
  Options options = optionsOf(8, 64);
  options.opening = opening;
  return options;
}

/// A tree, and how near its groups open its cells.
struct Opened : DownloadedTree {
  std::vector<int> links;
  std::vector<real4> centres;
  std::vector<real2> radii;
  std::vector<real> openingScales;

  explicit Opened(const TunedTree& tuned) : DownloadedTree(tuned.memory()) {
    const Tree& tree = tuned.tree();
    const std::size_t count = 8 * (1 + std::size_t(state.nodes));
    links = downloaded(reinterpret_cast<const int*>(tree.cells.links), count);
    centres = downloaded(tree.moments.centres, count);
    radii = downloaded(tuned.radii(), count);
    openingScales = downloaded(tuned.openingScales(), state.groups);
  }

  bool opens(int g, int cell) const {
    const GroupBox& box = groups[g];
    const real4 c = centres[cell];
    const auto apart = [](double x, double lower, double upper) {
      return std::max({lower - x, x - upper, 0.0});
    };
    const double x = apart(c.x, box.lower.x, box.upper.x);
    const double y = apart(c.y, box.lower.y, box.upper.y);
    const double z = apart(c.z, box.lower.z, box.upper.z);
    const double radius =
        std::max(double{c.w} * openingScales[g] + radii[cell].x, double{radii[cell].y});
    return std::sqrt(x * x + y * y + z * z) <= radius;
  }

  /// Counts over all groups: cells that act as a whole, and leaves that are opened.
  std::pair<double, double> count() const {
    double cells = 0, leaves = 0;
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (std::vector<int> stack = {0}; !stack.empty();) {
        const int word = stack.back();
        stack.pop_back();
        for (int k = 0; k < 8; ++k) {
          const int cell = childIndex(word, k), link = links[cell];
          if (link == kNoChild) continue;
          if (!opens(static_cast<int>(g), cell)) ++cells;
          else if (link == kLeafChild) ++leaves;
          else stack.push_back(link);
        }
      }
    return {cells, leaves};
  }
};

}  // namespace

TEST_CASE("the root is another cube for other bodies, and the same for the same") {
  BuiltTree built;
  const auto rootOf = [&](double x) {
    std::vector<Double4> bodies = makePlummer(300, 3).positions;
    bodies[7].x += x;
    REQUIRE(faultOfTree(built, bodies, optionsOf(Opening::relative)) == "");
    return built.tree.state().root;
  };
  const RootCube root = rootOf(100), other = rootOf(100.001), same = rootOf(100);
  CHECK(std::abs(root.side / other.side - 1) < 1e-4);
  for (auto side : {&double3::x, &double3::y, &double3::z}) {
    CHECK(std::abs(root.lower.*side - other.lower.*side) > 0.01 * root.side);
    CHECK(root.lower.*side == same.lower.*side);
  }
}

TEST_CASE("a group opens by the mean acceleration of its bodies, and a walk what it then reaches") {
  const Opening opening = GENERATE(Opening::relative, Opening::distance);
  const auto options = optionsOf(opening);
  const int count = 2000;
  const Bodies bodies = sceneNamed(GENERATE("plummer", "galaxy")).make(count, 3);
  DeviceArray<real4> device(count, "bodies"), accelerations(count, "accelerations");
  device.upload(converted<real4>(bodies.positions));
  const auto memory = makeWorkspace();
  const auto pull = [&] {
    PhaseTimes phases;
    computeForces(device, real(1e-4), options, accelerations, *memory, &phases);
    return phases;
  };
  std::vector<real> last(count, 0);
  DeviceBuffer<real> before{"previous accelerations"};
  for (int step = 0; step < 3; ++step) {
    before.upload(last);
    BuiltTree built;
    built.previousAcceleration = before.data();
    built.build(device, options);
    const Opened opened(built.tree);
    for (std::size_t g = 0; g < opened.groups.size(); ++g) {
      const GroupBox& box = opened.groups[g];
      double mean = 0;
      for (int k = 0; k < box.bodyCount; ++k)
        mean += last[opened.order[box.firstBody + k]] / box.bodyCount;
      if (step == 0) mean = built.tree.spread().density;
      const double scale = opening == Opening::relative ? std::pow(mean, -1.0 / 6) : 1;
      REQUIRE(std::abs(opened.openingScales[g] / scale - 1) < 1e-5);
    }
    const PhaseTimes times = pull();
    const double groups = static_cast<double>(opened.groups.size());
    const auto [cells, leaves] = opened.count();
    REQUIRE(metricOf(times, "groups") == groups);
    // If radius and distance differ only by rounding, either is correct.
    CHECK(std::abs(metricOf(times, "nodes a group") * groups / cells - 1) < 1e-3);
    CHECK(std::abs(metricOf(times, "leaves a group") * groups / leaves - 1) < 1e-3);
    const std::vector<real4> a = accelerations.download();
    for (int i = 0; i < count; ++i)
      last[i] = std::sqrt(a[i].x * a[i].x + a[i].y * a[i].y + a[i].z * a[i].z);
  }
}

TEST_CASE("forces agree with FP64 by the last acceleration, for any angle") {
  const auto requireRight = [](const Bodies& bodies, const std::string& settings) {
    const auto simulation = simulationOf(bodies, settings);
    for (int k = 0; k < 3; ++k) {
      simulation->poisonAccelerations();
      simulation->computeForces();
      const ForceError error = checkForces(*simulation, kSoftening, kUnitRoundoff,
                                           resolved(settings, bodies)->errorBound());
      INFO(settings << ", evaluation " << k << ": " << error.summary());
      REQUIRE(error.passed);
    }
  };
  for (const char* scene : {"plummer", "cube", "galaxy"})
    for (const std::string theta : {"0.2", "0.5", "1"}) {
      INFO(scene);
      requireRight(sceneNamed(scene).make(1000, 5), "leaf 8 opening relative theta " + theta);
    }
  for (OctreeInput& input : octreeInputs()) {
    // Accelerations in one group differ by orders of magnitude there, and the mean is the largest.
    if (sizeof(real) == 8 && input.name == "12 orders of magnitude") continue;
    input.positions.resize(std::min<std::size_t>(input.positions.size(), 300));
    INFO(input.name);
    requireRight(bodiesAt(input.positions), "leaf 4 group 16 opening relative");
  }
}
