// Step 07's tree is the host's, whatever the bodies; its memory grows; its forces can be captured. The step's
// own file is compiled here, because the tests look into its memory.
#include "07_device_tree/forces.cu"
#include "tree_faults.hpp"

using namespace nbody;
using namespace nbody::tree;
using namespace nbody::walk;

namespace {

/// The rules of opening, as settings.
const std::vector<std::string> kRules = {""};
std::vector<Options> rulesOf(const Options& options) { return {options}; }

class BuiltTree {
 public:
  void build(const DeviceArray<real4>& bodies, const Options& options) {
    PhaseClock clock(false);
    buildTree(bodies, options, memory_, clock);
  }
  bool lackedMemory() { return memory_.tree.lackedMemory(); }
  const TreeMemory& memory() const { return memory_.tree; }

  /// The root is the cube on the bodies' box.
  static std::string faultOfRoot(const RootCube& root, const std::vector<Double4>& bodies) {
    const walk::Box box = walk::tightBox(bodies.data(), static_cast<int>(bodies.size()));
    const double3 below = root.lower - box.lower;
    if (below.x != 0 || below.y != 0 || below.z != 0) return "the root's place";
    return root.side == box.side() ? "" : "the root's side";
  }

  /// A cell has its squared radius next to its centre, as on step 06's host.
  static int radii(const DownloadedTree&) { return 0; }
  static bool opensAsIn(int, const FoundCell& found, const walk::Cell& host, const Options& options,
                        double largest) {
    const double radius = walk::openingReach(host, options.theta);
    return sameRadius(std::sqrt(double{found.centre.w}), radius, host.bodyCount, largest);
  }

 private:
  Workspace memory_;
};

}  // namespace

#include "built_tree_cases.hpp"
