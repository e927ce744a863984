/// \file
/// Targets. Leaves have some 20 bodies, but a warp has 32 lanes, and what each target costs hardly
/// depends on its bodies. So neighbouring leaves of one node are a target together: a bundle of up
/// to 48 bodies. A bundle is in a node of at most some hundred bodies, that one in one of at most
/// some thousand, and so on. Sources stay the cells of the tree.
#pragma once

#include "06_tree_walk/walk/warp_queues.cuh"
#include "10_fast_multipole/tuned/multipoles.cuh"

namespace nbody::inline NBODY_PRECISION::fmm::tuned {

using walk::kAllLanes;
using walk::kLanes;

/// Leaves of a node with more full bundles' bodies are not bundled: most of its bodies are in few of
/// its children, so the others' bodies are far apart. A bundle of them would have everything near
/// it, and its lists took 1.7 ms instead of 0.3.
constexpr int kMostBundles = 8;

/// Returns the level at which node \p n is a target: the highest whose bound its parent exceeds and
/// the node does not. -1: the node is no target.
__device__ inline int nodeLevel(const Cells& cells, const Targets& targets, int n) {
  const int cell = cells.nodeCell[n].x, parent = cell / 8 - 1;
  const int bodies = cells.ranges[cell].y;
  const int parentBodies = parent < 0 ? INT_MAX : cells.ranges[cells.nodeCell[parent].x].y;
  int level = 0;
  long long most = targets.bundle;
  for (; level + 1 < targets.levels && most * kTargetRatio <= parentBodies; ++level)
    most *= kTargetRatio;
  return level > 0 && bodies > targets.bundle && bodies < most ? level : -1;
}

/// Returns the number of the smallest target that is node \p n or around it; -1: there is none.
__device__ inline int targetAround(const Cells& cells, const Targets& targets, int n) {
  while (n >= 0 && nodeLevel(cells, targets, n) < 0) n = cells.nodeCell[n].x / 8 - 1;
  return n < 0 ? -1 : targets.numberOf(n);
}

/// Returns the first of \p count places for each lane, with one atomic operation of the warp.
__device__ inline int reservePlaces(int* counter, int count) {
  const int lane = threadIdx.x % kLanes;
  int end = count;
  for (int step = 1; step < kLanes; step *= 2) {
    const int before = __shfl_up_sync(kAllLanes, end, step);
    if (lane >= step) end += before;
  }
  int first = 0;
  if (lane == kLanes - 1) first = atomicAdd(counter, end);
  return __shfl_sync(kAllLanes, first, kLanes - 1) + end - count;
}

/// Returns the bodies of the bundle that begins with the lane's child; 0: none does. Children are
/// added to a bundle, in their order, while they fit.
/// \param bodies  of the lane's child; -1: it is divided into bundles itself, so that a bundle ends before it
/// \param most    bodies that children may share a bundle with
__device__ inline int bundleFrom(int bodies, int most) {
  int bundle = 0, first = 0, found = 0;
  for (int k = 0; k < kTeam; ++k) {
    const int more = __shfl_sync(kAllLanes, bodies, k, kTeam);
    if (bundle == 0 || more < 0 || bundle + more > most) bundle = 0, first = k;
    bundle += max(more, 0);
    if (first == static_cast<int>(threadIdx.x % kTeam)) found = bundle;
  }
  return found;
}

/// A team of lanes per node, with a lane per child, makes bundles of its leaves. The team after the
/// last node makes them of the root, if it has few bodies. A large leaf, whose bodies are all at
/// one place, becomes many bundles. A bundle gets its range, its parent and its unit here.
static __global__ void bundlesKernel(Cells cells,
                                     const real* units,
                                     Targets targets,
                                     ListState* state) {
  const int nodes = cells.state->nodes, lane = threadIdx.x % kLanes;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes;
  const int warps = gridDim.x * blockDim.x / kLanes;
  constexpr int kNodes = kLanes / kTeam;  // nodes of a warp
  for (int begin = kNodes * warp; begin <= nodes; begin += kNodes * warps) {
    const int n = begin + lane / kTeam;
    int child = 0, parent = -1;
    int2 range = {0, 0};
    int most = 0;
    if (n < nodes) {
      const int bodies = cells.ranges[cells.nodeCell[n].x].y;
      child = childIndex(firstLinkWord(n), lane % kTeam);
      if (bodies <= kMostBundles * targets.bundle) most = targets.bundle;
      const int link = links(cells)[child];
      if (bodies > targets.bundle && link != kNoChild) {
        parent = targetAround(cells, targets, n);
        range = cells.ranges[child];
        if (link != kLeafChild && range.y > targets.bundle) range.y = -1;
      }
    } else if (n == nodes && lane % kTeam == 0 && cells.state->leaves > 0) {
      range = cells.ranges[0];
      if (nodes > 0 && range.y > targets.bundle) range.y = 0;
    }
    const int bodies = bundleFrom(range.y, most);
    const int count = (bodies + targets.bundle - 1) / targets.bundle;
    const int place = reservePlaces(&state->targets[0], count);
    for (int k = 0; k < count; ++k) {
      Target& t = targets.of[place + k];
      const int first = static_cast<int>(1LL * bodies * k / count);
      t.first = range.x + first;
      t.bodies = static_cast<int>(1LL * bodies * (k + 1) / count) - first;
      t.parent = parent;
      t.unit = units[child];
    }
  }
}

/// A team of lanes per bundle computes its other properties, from its bodies.
static __global__ void bundlePropertiesKernel(Tree tree,
                                              Expansions f,
                                              Targets targets,
                                              ListState* state) {
  const int teams = gridDim.x * blockDim.x / kTeam, lane = threadIdx.x % kTeam;
  for (int i = (blockIdx.x * blockDim.x + threadIdx.x) / kTeam; i < state->targets[0]; i += teams) {
    Target& t = targets.of[i];
    const int first = t.first, end = first + t.bodies;
    const real4 origin = tree.sorted.bodies[first];  // near the bodies, so that rounding is small
    Bounds box = tree::noBounds();
    real4 sum = {0, 0, 0, 0};  // offsets, previous acceleration
    for (int k = first + lane; k < end; k += kTeam) {
      const real4 b = tree.sorted.bodies[k];
      const real last = f.previousAcceleration[tree.sorted.order[k]];
      box = box + boundsOf(b);
      sum = {sum.x + (b.x - origin.x),
             sum.y + (b.y - origin.y),
             sum.z + (b.z - origin.z),
             sum.w + (last > 0 ? last : static_cast<real>(f.spread->density))};
    }
    box = sumOverLanes<kTeam>(box);
    sum = {sumOverLanes<kTeam>(sum.x),
           sumOverLanes<kTeam>(sum.y),
           sumOverLanes<kTeam>(sum.z),
           sumOverLanes<kTeam>(sum.w)};
    const real each = real(1) / (end - first);
    const real3 centre = {
        origin.x + each * sum.x, origin.y + each * sum.y, origin.z + each * sum.z};
    real farthest = 0, squares = 0;
    for (int k = first + lane; k < end; k += kTeam) {
      const real4 b = tree.sorted.bodies[k];
      const real x = b.x - centre.x, y = b.y - centre.y, z = b.z - centre.z;
      const real square = x * x + y * y + z * z;
      farthest = max(farthest, square);
      squares += square;
    }
    squares = sumOverLanes<kTeam>(squares);
    for (int step = kTeam / 2; step > 0; step /= 2)
      farthest = max(farthest, __shfl_xor_sync(teamOfLanes<kTeam>(), farthest, step));
    if (lane != 0) continue;
    const real radius = max(sqrt(farthest), kLeastRadius * t.unit);
    t.centre = {centre.x, centre.y, centre.z, radius};
    t.box = box;
    t.size = kRadiusWeight * radius + (1 - kRadiusWeight) * sqrt(each * squares);
    t.previousAcceleration = each * sum.w;
  }
}

/// A thread per node enters it as a target, if it is one. The order within a level may differ from
/// run to run, but no result depends on it.
static __global__ void nodeTargetsKernel(Tree tree,
                                         Expansions f,
                                         Targets targets,
                                         ListState* state) {
  const Cells& cells = tree.cells;
  for (int n = blockIdx.x * blockDim.x + threadIdx.x; n < cells.state->nodes;
       n += gridDim.x * blockDim.x) {
    const int level = nodeLevel(cells, targets, n);
    if (level < 0) continue;
    const int cell = cells.nodeCell[n].x;
    const int2 range = cells.ranges[cell];
    const CellSummary s = f.summaries[cell];
    targets.of[targets.numberOf(n)] = {f.centres[cell],
                                       tree.moments.boxes[cell],
                                       s.size,
                                       s.previousAcceleration,
                                       range.x,
                                       range.y,
                                       targetAround(cells, targets, cell / 8 - 1),
                                       f.units[cell]};
    const int place = atomicAdd(&state->targets[level], 1);
    targets.nodes[std::size_t(level - 1) * targets.nodeCapacity + place] = targets.numberOf(n);
  }
}

}  // namespace nbody::inline NBODY_PRECISION::fmm::tuned
