/// \file
/// The faster tree of step 07, also built by step 11. A cell is opened if its pull is large
/// compared with the group's previous acceleration, and the root cube changes in each step.
#pragma once

#include "07_device_tree/device_tree_options.hpp"
#include "07_device_tree/tree/groups.cuh"
#include "07_device_tree/tree/links.cuh"
#include "07_device_tree/tree/moments.cuh"
#include "07_device_tree/tree/walk.cuh"

namespace nbody::inline NBODY_PRECISION::tree {

// --- The root: another cube in each step, so that errors do not add up.

/// Mixes all bits of \p state and of \p value.
__device__ inline std::uint64_t splitmix64(std::uint64_t state, double value) {
  std::uint64_t z = state + 0x9e3779b97f4a7c15 + __double_as_longlong(value + 0.0);  // -0 is 0
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

/// Returns a cube with twice the side of \p box, at a place that contains the box. The bits of the
/// box decide the place, so the same bodies have the same cube. They change in each step, and with
/// them all cells and their errors, which average out instead of adding up.
__device__ inline RootCube rootAround(const Bounds& box) {
  const real3 low = box.lower, high = box.upper;
  const double side =
      max(double{high.x} - low.x, max(double{high.y} - low.y, double{high.z} - low.z));
  std::uint64_t bits = 0;
  for (double x : {low.x, low.y, low.z, high.x, high.y, high.z}) bits = splitmix64(bits, x);
  const auto before = [&](double lower) {
    bits = splitmix64(bits, 0);
    return lower - side * (bits >> 11) * 0x1p-53;
  };
  const double x = before(low.x), y = before(low.y), z = before(low.z);
  return {{x, y, z}, 2 * side};
}

/// The extent of all bodies.
struct Spread {
  double radius;  ///< R, their root mean square distance from their centre of mass
  double density;  ///< M / R^2; 1 if R is 0
};

/// Sums over parts of the bodies, about one origin, in device memory.
struct Extent {
  const CellSums* parts;
  int count;
};

/// Returns the sums over the thread's part of the bodies, about \p origin.
__device__ inline CellSums sumsOfThread(const real4* __restrict__ bodies,
                                        int count,
                                        double3 origin) {
  CellSums own = noSums();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const real4 b = bodies[i];
    own = own + sumsOf(boundsOf(b), b.w, b.x - origin.x, b.y - origin.y, b.z - origin.z);
  }
  return own;
}

/// Writes the root and the spread of all bodies, from the sums over all of them.
__device__ inline void setRoot(const CellSums& all, TreeState& state, Spread& spread) {
  state.root = rootAround(all.box);
  const double squares = all.mass * (all.xx + all.yy + all.zz) - all.x * all.x - all.y * all.y -
                         all.z * all.z;  // M^2 R^2
  const double radius = squares > 0 ? sqrt(squares) / all.mass : 0;
  spread = {radius, squares > 0 ? all.mass / (radius * radius) : 1};
}

/// Each block adds up a part of the bodies.
/// \param from   origin of the sums: a body's position, because a distant origin loses precision
/// \param parts  out: one per block
/// Shared memory: a CellSums per thread. Barriers: 1.
static __global__ void extentsKernel(const real4* __restrict__ bodies,
                                     int count,
                                     const real4* from,
                                     CellSums* parts) {
  extern __shared__ CellSums sumsOfThreads[];
  const CellSums own = sumsOfThread(bodies, count, {from->x, from->y, from->z});
  const CellSums all = sumOverBlock(own, noSums(), sumsOfThreads);
  if (threadIdx.x == 0) parts[blockIdx.x] = all;
}

/// One warp adds up all parts, and writes the root and the spread of the bodies.
static __global__ void movingRootKernel(Extent extent, TreeState* state, Spread* spread) {
  const CellSums all = sumByWarp(extent.parts, extent.count, noSums());
  if (threadIdx.x == 0) setRoot(all, *state, *spread);
}

// --- The rule: a group opens a cell nearer to its centre of mass than
//         max(scaled a^(-1/6) + offset, least)
//     with a the mean acceleration of the group's bodies in the last evaluation.

/// Factor with which a theta of 0.5 has about the same 99th percentile of errors with both rules.
constexpr double kAccelerationReach = 1.5;

/// Size, in units of R, from which cells are opened as with Opening::distance, because many bodies
/// share their errors, which then do work.
constexpr double kLargeCell = 0.25;

/// The distance within which a cell is opened.
struct OpeningRadius {
  real scaled;  ///< for a group with acceleration 1; with Opening::distance for any group
  real offset;  ///< from the centre of the box to the centre of mass
  real least;  ///< smallest radius, offset included
};

/// Stores the radii of OpensByAcceleration, for leafMomentsKernel and nodeMomentsKernel.
struct AccelerationRadius {
  double theta;
  Opening opening;
  const Spread* spread;
  real2* radii;  ///< out: offset and least of each cell

  __device__ OpeningRadius radiusOf(const CellShape& cell) const {
    const double side = cell.side(), far = side / theta;
    double scaled = far, least = cell.corner();
    if (opening == Opening::relative && side > 0) {
      scaled *= kAccelerationReach * sqrt(cbrt(cell.mass / (side * side)));
      least = max(least, far * min(1.0, side / (kLargeCell * spread->radius)));
    }
    const double more = cell.centreError();
    return {real(roundedUp(scaled)),
            real(roundedUp(cell.offset) + more),
            real(roundedUp(least + cell.offset) + more)};
  }

  __device__ real of(int index, const CellShape& cell) const {
    const OpeningRadius radius = radiusOf(cell);
    radii[index] = {radius.offset, radius.least};
    return radius.scaled;
  }
};

/// Computes the scales with which groups open cells.
struct GroupScales {
  Opening opening;
  const Spread* spread;
  const real*
      previousAcceleration;  ///< length of each body's last acceleration; 0 or null: none yet
  real* openingScales;  ///< out: a^(-1/6) of each group; 1 with Opening::distance

  /// Returns the factor on opening radii, from a group's mean acceleration, or before the first
  /// evaluation from M / R^2 of all bodies.
  __device__ real scaleOf(real acceleration) const {
    if (opening != Opening::relative) return 1;
    return rsqrt(cbrt(acceleration > 0 ? acceleration : static_cast<real>(spread->density)));
  }
};

/// Each warp finds a group's box, as in groupsKernel(), and its opening scale.
static __global__ void scaledGroupsKernel(SortedBodies sorted,
                                          Cells cells,
                                          GroupBox* groups,
                                          GroupScales scales) {
  const int warps = gridDim.x * blockDim.x / 32;
  for (int g = (blockIdx.x * blockDim.x + threadIdx.x) / 32; g < cells.state->groups; g += warps) {
    const GroupBox group = groupBox(sorted, cells, g);
    real acceleration = 0;
    if (scales.previousAcceleration != nullptr)
      for (int k = threadIdx.x % 32; k < group.bodyCount; k += 32)
        acceleration += scales.previousAcceleration[sorted.order[group.firstBody + k]];
    acceleration = sumOverLanes<32>(acceleration);
    if (threadIdx.x % 32 != 0) continue;
    groups[g] = group;
    scales.openingScales[g] = scales.scaleOf(acceleration / group.bodyCount);
  }
}

/// The rule of the walk.
struct OpensByAcceleration {
  const real2* radii;  ///< offset and least of each cell
  const real* openingScales;  ///< scale of each group
  real* previousAcceleration;  ///< out: length N, used by the next evaluation; or null

  __device__ real ofGroup(int g) const { return openingScales[g]; }
  __device__ bool opens(const TreeView& tree, const GroupBox& group, real scale, int cell) const {
    real4 centre = tree.centres[cell];
    const real2 more = radii[cell];
    const real radius = max(centre.w * scale + more.x, more.y);
    centre.w = radius * radius;
    return walk::opens(group, centre);
  }
  __device__ void keep(int body, real3 a) const {
    if (previousAcceleration != nullptr)
      previousAcceleration[body] = sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
  }
};

// --- The tree: forces.cu's launches, with the kernels above in their places.

/// The tree in device memory, kept between time steps.
class TunedTree {
 public:
  /// Queues the sums over \p bodies on the suite's stream.
  /// \param origin  origin of the sums; device memory
  Extent extentOf(const DeviceArray<real4>& bodies,
                  const real4* origin,
                  const BuildOptions& options) {
    const int count = static_cast<int>(bodies.size());
    const int block = blockFor(count, options.block);
    const int partCount = std::min<int>(kMostParts, gridStrideBlocks(count, block));
    CellSums* parts = parts_.reserve(kMostParts);
    extentsKernel<<<partCount, block, block * sizeof(CellSums), stream()>>>(
        bodies.data(), count, origin, parts);
    CUDA_CHECK(cudaGetLastError());
    return {parts, partCount};
  }

  /// Queues only the first part of build() on the suite's stream: root, keys and order.
  void sort(const Extent& extent,
            const DeviceArray<real4>& bodies,
            const BuildOptions& options,
            PhaseClock& clock,
            const Spare& spare = {}) {
    const int count = static_cast<int>(bodies.size());
    const int block = blockFor(count, options.block);
    const Tree tree = memory_.reserve(count, options, spare);
    KeySort& keys = memory_.keys();
    movingRootKernel<<<1, 32, 0, stream()>>>(extent, tree.cells.state, spread_.reserve(1));
    keysKernel<<<gridStrideBlocks(count, block), block, 0, stream()>>>(
        bodies.data(), count, tree.cells.state, keys.keysIn(), keys.placesIn());
    CUDA_CHECK(cudaGetLastError());
    clock.end("keys");
    sortByKey(keys, count);
    clock.end("sort");
  }

  /// Queues the building of the tree on the suite's stream, as buildTree() of forces.cu does.
  /// \param extent            of \p bodies, or of more bodies, whose trees then have the same root
  /// \param previousAcceleration  length of each body's last acceleration; null: all 0
  /// \param spare             free memory after the tree
  void build(const Extent& extent,
             const DeviceArray<real4>& bodies,
             const DeviceTreeOptions& options,
             const real* previousAcceleration,
             PhaseClock& clock,
             const Spare& spare = {}) {
    sort(extent, bodies, options, clock, spare);
    const auto& [sorted, cells, moments, groups] = memory_.tree();
    const int count = sorted.count;
    const int block = blockFor(count, options.block);
    const unsigned all = blocksFor(count + 1, block), some = gridStrideBlocks(count, block);
    const int mostOfGroups = mostGroups(count, options.group);
    const unsigned groupBlocks = gridStrideBlocks(32LL * mostOfGroups, block);
    const unsigned nodeBlocks = gridStrideBlocks(1LL * kTeam * (count / options.leaf), kNodeBlock);
    const int levels = count < options.leaf ? 0 : kKeyLevels;
    const AccelerationRadius radius = {
        options.theta, options.opening, spread_.data(), radii_.reserve(memory_.cellCapacity())};
    const GroupScales scales = {options.opening,
                                spread_.data(),
                                previousAcceleration,
                                openingScales_.reserve(mostOfGroups)};
    const auto done = [&](const char* part) {
      CUDA_CHECK(cudaGetLastError());
      clock.end(part);
    };

    startsKernel<<<all, block, 0, stream()>>>(bodies.data(), sorted, cells);
    exclusiveScan(cells.starts, count + 1, scratch_);
    cellsKernel<<<all, block, 0, stream()>>>(sorted, cells);
    done("cells");
    linksKernel<<<some, block, 0, stream()>>>(sorted, cells);
    done("links");
    scaledGroupsKernel<<<groupBlocks, block, 0, stream()>>>(sorted, cells, groups, scales);
    done("groups");
    leafMomentsKernel<<<some, block, 0, stream()>>>(sorted, cells, moments, radius);
    for (int level = levels - 1; level >= 0; --level)
      nodeMomentsKernel<<<nodeBlocks, kNodeBlock, 0, stream()>>>(
          sorted, cells, moments, radius, level);
    done("moments");
  }

  /// Returns whether the last tree had too many nodes; if so, the next build() gets more memory.
  /// Waits for the device if there may be too many.
  bool lackedMemory() { return memory_.lackedMemory(); }

  const TreeMemory& memory() const { return memory_; }
  const Tree& tree() const { return memory_.tree(); }
  /// Returns the counts of the tree. Waits for the device.
  TreeState state() const { return memory_.state(); }
  Spread spread() const { return spread_.download(0, 1)[0]; }

  real2* radii() { return radii_.data(); }
  const real2* radii() const { return radii_.data(); }
  const real* openingScales() const { return openingScales_.data(); }

  /// Returns the rule of a walk.
  /// \param previousAcceleration  out: one per body, which the next build() needs; null: not wanted
  OpensByAcceleration rule(real* previousAcceleration) const {
    return {radii(), openingScales(), previousAcceleration};
  }

 private:
  TreeMemory memory_;
  DeviceBuffer<CellSums> parts_{"extents of parts of the bodies"};
  DeviceBuffer<Spread> spread_{"spread of the bodies"};
  DeviceBuffer<unsigned char> scratch_{"scratch of the prefix sum"};
  DeviceBuffer<real2> radii_{"opening radii"};
  DeviceBuffer<real> openingScales_{"opening scales of groups"};
};

}  // namespace nbody::inline NBODY_PRECISION::tree
