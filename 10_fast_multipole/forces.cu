/// \file
/// Step 10, a fast multipole method: cells act on cells. The pull of a far cell on a whole cell of
/// bodies is one polynomial, its local expansion, which is handed down to the bodies at the end.
/// Operators are named after what they turn into what, of bodies (P, particles), multipoles of a source
/// (M) and local expansions of a target (L): P2M and M2M go up the tree, M2L across, L2L and L2P down.
/// M2P and P2P are for sources that are too near.
///
/// Parent: 07_device_tree, whose tree it uses. What changed: a cell does not act on each body of a
/// group, but on all bodies of a cell at once. Predicted limiter: issue, in M2L and P2P.
#include "07_device_tree/tree/links.cuh"
#include "07_device_tree/tree/moments.cuh"
#include "10_fast_multipole/field.cuh"
#include "10_fast_multipole/pairs.cuh"
#include "driver/step.hpp"

namespace nbody::inline NBODY_PRECISION::fmm {

/// Device memory, kept from one evaluation to the next.
struct Workspace {
  tree::TreeMemory tree;
  ExpansionMemory field;
  DeviceBuffer<tree::Bounds> parts{"boxes of parts of the bodies"};
  DeviceBuffer<unsigned char> scratch{"scratch of the prefix sum"};
};

namespace {

using namespace tree;

/// The radius r of a cell: from the centre of mass to the farthest corner of its box.
struct CornerRadius {
  const Bounds* boxes;
  const TreeState* state;

  __device__ real of(int index, const CellShape& cell) const {
    const real3 low = boxes[index].lower, high = boxes[index].upper;
    const double x = max(high.x - cell.centre.x, cell.centre.x - low.x);
    const double y = max(high.y - cell.centre.y, cell.centre.y - low.y);
    const double z = max(high.z - cell.centre.z, cell.centre.z - low.z);
    const double radius = roundedUp(lengthOf({x, y, z}) + cell.centreError());
    return static_cast<real>(max(radius, kLeastRadius * state->root.side));
  }
};

/// Returns the index of the leaf that holds body \p i.
__device__ int leafOf(const Cells& cells, int i) {
  return cells.leafCell[cells.starts[i + 1].leaves - 1];
}

/// P2M: a warp per leaf. Its lanes share the bodies, because a leaf can have very many, all at one
/// place.
template <int P>
__global__ void p2mKernel(Tree tree, real softening, Multipole<P>* multipoles) {
  const Units units(tree, softening);
  const int lane = threadIdx.x % kLanes, warps = gridDim.x * blockDim.x / kLanes;
  int leaf = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes;
  for (; leaf < tree.cells.state->leaves; leaf += warps) {
    const int cell = tree.cells.leafCell[leaf], end = tree.cells.leafFirst[leaf + 1];
    Multipole<P> sum;
    for (int i = tree.cells.leafFirst[leaf] + lane; i < end; i += kLanes) {
      const real4 body = tree.sorted.bodies[i];
      const real mass = units.perMass * body.w;
      const real3 t = units.way(tree.moments.centres[cell], body);
      sum.c[0] += mass;
      p2m<P>(mass, t.x, t.y, t.z, sum.c);
    }
    sum = sumOverLanes<kLanes>(sum);
    if (lane == 0) multipoles[cell] = sum;
  }
}

/// M2M: a team of eight lanes per node of \p level adds up its children, one per lane.
template <int P>
__global__ void m2mKernel(Tree tree, real softening, Multipole<P>* multipoles, int level) {
  const int node = (blockIdx.x * blockDim.x + threadIdx.x) / kTeam, lane = threadIdx.x % kTeam;
  if (node >= tree.cells.state->nodes || tree.cells.nodeCell[node].y != level) return;
  const int cell = tree.cells.nodeCell[node].x, child = childIndex(firstLinkWord(node), lane);
  Multipole<P> sum;
  if (links(tree.cells)[child] != kNoChild) {
    const Units units(tree, softening);
    const real3 t = units.way(tree.moments.centres[cell], tree.moments.centres[child]);
    const Multipole<P> part = multipoles[child];
    sum.c[0] = part.c[0];
    m2m<P>(t.x, t.y, t.z, part.c, sum.c);
  }
  sum = sumOverLanes<kTeam>(sum);
  if (lane == 0) multipoles[cell] = sum;
}

/// M2L: a warp per cell. Each lane adds up every 32nd far source.
template <int P>
__global__ void __launch_bounds__(kBlock) m2lKernel(Tree tree,
                                                    Pairs pairs,
                                                    real softening,
                                                    const Multipole<P>* multipoles,
                                                    Local<P>* locals) {
  if (!pairs.areWhole()) return;
  const Units units(tree, softening);
  const real epsilon = softening * units.perLength;
  const int cells = tree.cells.state->leaves + tree.cells.state->nodes;
  const int lane = threadIdx.x % kLanes, warps = gridDim.x * blockDim.x / kLanes;
  int t = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes;
  for (; t < cells; t += warps) {
    const int cell = pairs.targets[t];
    const int end = pairs.lists[cell].begin[kM2l + 1];
    Local<P> sum;
    for (int k = pairs.lists[cell].begin[kM2l] + lane; k < end; k += kLanes) {
      const int source = pairs.sources[k];
      const real3 r = units.way(tree.moments.centres[source], tree.moments.centres[cell]);
      m2l<P>(r, epsilon * epsilon, multipoles[source], sum);
    }
    sum = sumOverLanes<kLanes>(sum);
    if (lane == 0) locals[cell] = sum;
  }
}

/// L2L: a team of eight lanes per node of \p level hands its complete local expansion down to its
/// children, one per lane.
template <int P>
__global__ void l2lKernel(Tree tree, Pairs pairs, real softening, Local<P>* locals, int level) {
  const int node = (blockIdx.x * blockDim.x + threadIdx.x) / kTeam, lane = threadIdx.x % kTeam;
  if (node >= tree.cells.state->nodes || tree.cells.nodeCell[node].y != level) return;
  const int cell = tree.cells.nodeCell[node].x, child = childIndex(firstLinkWord(node), lane);
  if (links(tree.cells)[child] == kNoChild || !pairs.areWhole()) return;
  const Units units(tree, softening);
  const real3 s = units.way(tree.moments.centres[cell], tree.moments.centres[child]);
  l2l<P>(s.x, s.y, s.z, locals[cell].c, locals[child].c);
}

/// L2P: a thread per body evaluates the local expansion of its leaf.
template <int P>
__global__ void l2pKernel(Tree tree,
                          Pairs pairs,
                          real softening,
                          const Local<P>* locals,
                          real4* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= tree.sorted.count || tree.cells.state->leaves == 0 || !pairs.areWhole()) return;
  const int cell = leafOf(tree.cells, i);
  const Units units(tree, softening);
  const real3 s = units.way(tree.moments.centres[cell], tree.sorted.bodies[i]);
  const real3 slope = l2p<P, real, real3>(s.x, s.y, s.z, locals[cell].c);
  accelerations[tree.sorted.order[i]] = {
      units.pull * slope.x, units.pull * slope.y, units.pull * slope.z, 0};
}

/// M2P: a thread per body adds the pulls of cells that act on single bodies, as in step 07.
__global__ void m2pKernel(Tree tree,
                          TreeView cells,
                          Pairs pairs,
                          real softeningSquared,
                          real4* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= tree.sorted.count || tree.cells.state->leaves == 0 || !pairs.areWhole()) return;
  const SourceLists& lists = pairs.lists[leafOf(tree.cells, i)];
  real4& acceleration = accelerations[tree.sorted.order[i]];
  real3 sum = {acceleration.x, acceleration.y, acceleration.z};
  for (int k = lists.begin[kM2p]; k < lists.begin[kM2p + 1]; ++k) {
    walk::Multipole cell;
    walk::loadMultipole<true>(cells, pairs.sources[k], softeningSquared, cell);
    sum = walk::quadrupoleInteraction(tree.sorted.bodies[i], cell, sum, softeningSquared);
  }
  acceleration = {sum.x, sum.y, sum.z, 0};
}

/// P2P: adds the pulls of \p count bodies to the acceleration of \p body.
__device__ real3
p2p(real4 body, const real4* sources, int count, real softeningSquared, real3 acceleration) {
#pragma unroll 4
  for (int j = 0; j < count; ++j)
    acceleration = walk::interaction(body, sources[j], acceleration, softeningSquared);
  return acceleration;
}

/// P2P: a thread per body adds the pulls of the bodies of near leaves.
__global__ void p2pKernel(Tree tree, Pairs pairs, real softeningSquared, real4* accelerations) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= tree.sorted.count || tree.cells.state->leaves == 0 || !pairs.areWhole()) return;
  const SourceLists& lists = pairs.lists[leafOf(tree.cells, i)];
  real4& acceleration = accelerations[tree.sorted.order[i]];
  real3 sum = {acceleration.x, acceleration.y, acceleration.z};
  for (int k = lists.begin[kP2p]; k < lists.begin[kP2p + 1]; ++k) {
    const int2 leaf = tree.cells.ranges[pairs.sources[k]];
    sum = p2p(tree.sorted.bodies[i], tree.sorted.bodies + leaf.x, leaf.y, softeningSquared, sum);
  }
  acceleration = {sum.x, sum.y, sum.z, 0};
}

/// Queues the building of the tree, as in step 07.
Tree buildTree(const DeviceArray<real4>& bodies, const Options& options, Workspace& memory) {
  const int count = static_cast<int>(bodies.size()), block = blockFor(count, options.block);
  const Tree tree = memory.tree.reserve(count, options);
  const auto& [sorted, cells, moments, groups] = tree;
  KeySort& keys = memory.tree.keys();
  Bounds* parts = memory.parts.reserve(kMostParts);
  const CornerRadius radius = {moments.boxes, cells.state};
  const unsigned all = blocksFor(count + 1, block), some = gridStrideBlocks(count, block);
  const int partCount = std::min<int>(kMostParts, some);
  const int levels = count < options.leaf ? 0 : kKeyLevels;  // levels that a node may have

  boundsKernel<<<partCount, block, block * sizeof(Bounds), stream()>>>(bodies.data(), count, parts);
  rootKernel<<<1, 32, 0, stream()>>>(parts, partCount, cells.state);
  keysKernel<<<some, block, 0, stream()>>>(
      bodies.data(), count, cells.state, keys.keysIn(), keys.placesIn());
  sortByKey(keys, count);
  startsKernel<<<all, block, 0, stream()>>>(bodies.data(), sorted, cells);
  exclusiveScan(cells.starts, count + 1, memory.scratch);
  cellsKernel<<<all, block, 0, stream()>>>(sorted, cells);
  linksKernel<<<some, block, 0, stream()>>>(sorted, cells);
  leafMomentsKernel<<<some, block, 0, stream()>>>(sorted, cells, moments, radius);
  for (int level = levels - 1; level >= 0; --level)
    nodeMomentsKernel<<<some, kNodeBlock, 0, stream()>>>(sorted, cells, moments, radius, level);
  return tree;
}

template <int P>
void computeField(const DeviceArray<real4>& bodies,
                  real softeningSquared,
                  const Options& options,
                  real4* accelerations,
                  Workspace& memory,
                  PhaseClock& clock) {
  const Tree tree = buildTree(bodies, options, memory);
  clock.end("tree");
  const int count = tree.sorted.count, nodes = tree.cells.nodeCapacity;
  const std::size_t cells = memory.tree.cellCapacity();
  const Pairs pairs = memory.field.reservePairs(count, options.leaf, cells);
  Multipole<P>* m = memory.field.reserveMultipoles<P>(cells);
  Local<P>* l = memory.field.reserveLocals<P>(cells);
  const real theta = static_cast<real>(options.theta), softening = std::sqrt(softeningSquared);
  const int levels = count < options.leaf ? 0 : kKeyLevels;  // levels that a node may have
  const unsigned ofBodies = blocksFor(count, kBlock), ofNodes = blocksFor(kTeam * nodes, kBlock);
  const unsigned ofCells =
      std::min(32u * multiprocessors(), blocksFor(1LL * kLanes * count, kBlock));

  rootPairKernel<<<1, 1, 0, stream()>>>(pairs);
  for (int level = 0; level <= levels; ++level)
    pairsKernel<<<ofCells, kBlock, 0, stream()>>>(tree, pairs, theta, level);
  clock.end("pairs");
  p2mKernel<P><<<ofCells, kBlock, 0, stream()>>>(tree, softening, m);
  for (int level = levels - 1; level >= 0; --level)
    m2mKernel<P><<<ofNodes, kBlock, 0, stream()>>>(tree, softening, m, level);
  clock.end("p2m and m2m");
  m2lKernel<P><<<ofCells, kBlock, 0, stream()>>>(tree, pairs, softening, m, l);
  clock.end("m2l");
  for (int level = 0; level < levels; ++level)
    l2lKernel<P><<<ofNodes, kBlock, 0, stream()>>>(tree, pairs, softening, l, level);
  l2pKernel<P><<<ofBodies, kBlock, 0, stream()>>>(tree, pairs, softening, l, accelerations);
  clock.end("l2l and l2p");
  m2pKernel<<<ofBodies, kBlock, 0, stream()>>>(
      tree, tree.view(), pairs, softeningSquared, accelerations);
  clock.end("m2p");
  p2pKernel<<<ofBodies, kBlock, 0, stream()>>>(tree, pairs, softeningSquared, accelerations);
  CUDA_CHECK(cudaGetLastError());
  clock.end("p2p");
}

void computeMultipoleForces(const DeviceArray<real4>& bodies,
                            real softeningSquared,
                            const Options& options,
                            DeviceArray<real4>& accelerations,
                            Workspace& memory,
                            PhaseClock& clock) {
  Orders::select(options.order, [&](auto p) {
    computeField<p>(bodies, softeningSquared, options, accelerations.data(), memory, clock);
  });
}

}  // namespace

std::shared_ptr<Workspace> makeWorkspace() { return std::make_shared<Workspace>(); }

bool lackedMemory(Workspace& memory) {
  return memory.tree.lackedMemory() || memory.field.lackedMemory();
}

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations,
                   Workspace& memory,
                   PhaseTimes* phases) {
  PhaseClock clock(phases != nullptr);
  computeMultipoleForces(bodies, softeningSquared, options, accelerations, memory, clock);
  if (phases != nullptr) *phases = memory.field.report(clock, memory.tree, options.order);
}

}  // namespace nbody::inline NBODY_PRECISION::fmm
