/// \file
/// Expansions of the cells, their units, the memory of the method, and the report.
#pragma once

#include "06_tree_walk/flop.hpp"
#include "10_fast_multipole/expansion.cuh"
#include "10_fast_multipole/options.hpp"
#include "10_fast_multipole/pairs.cuh"

namespace nbody::inline NBODY_PRECISION::fmm {

using tree::momentsOf;
using tree::TreeMemory;
using tree::TreeState;

/// Components of orders 0 to kMost, in whole real4, so that a thread reads four at a time.
template <int kMost>
struct alignas(sizeof(real4)) Expansion {
  static constexpr int kCount = (componentsBelow(kMost + 1) + 3) / 4 * 4;
  real c[kCount] = {};

  __device__ Expansion operator+(const Expansion& other) const {
    Expansion sum;
    unrolled<0, kCount>([&](auto k) { sum.c[k] = c[k] + other.c[k]; });
    return sum;
  }
};
template <int P>
using Multipole = Expansion<P - 1>;  // order 1 is 0, and nobody reads it
template <int P>
using Local = Expansion<P>;  // nobody reads order 0, a constant

/// Smallest radius of a cell, per side of the root cell.
constexpr double kLeastRadius = 0x1p-20;

/// Units of the expansions: the side of the root cell, or the softening if it is larger, and the mass
/// of all bodies. Two cells that act on each other are at least 2^-19 of the side apart, and the
/// derivatives grow no further once the softening is larger. So no power of their distance leaves
/// the range of FP32.
struct Units {
  real perLength, perMass, pull;

  __device__ Units(const Tree& tree, real softening) {
    const real side = static_cast<real>(tree.cells.state->root.side);
    const real length = side > 0 ? max(side, softening) : 1;
    const real mass = tree.moments.moments[momentsOf(childIndex(0, 0))].w;
    perLength = 1 / length;
    perMass = mass > 0 ? 1 / mass : 1;
    pull = mass * perLength * perLength;
  }

  /// Returns the way from \p from to \p to.
  __device__ real3 way(real4 from, real4 to) const {
    return {perLength * (to.x - from.x), perLength * (to.y - from.y), perLength * (to.z - from.z)};
  }
};

/// M2L: adds the pull of a source to the local expansion of a target at \p r from it. Derivatives of
/// high orders are computed in units of the distance, where they are neither too large nor too small.
template <int P>
__device__ __forceinline__ void m2l(real3 r,
                                    real softeningSquared,
                                    const Multipole<P>& source,
                                    Local<P>& target) {
  const real inverse = rsqrt(softeningSquared + r.x * r.x + r.y * r.y + r.z * r.z);
  real d[componentsBelow(P + 1)];
  derivatives<P>(r.x * inverse, r.y * inverse, r.z * inverse, real{1}, inverse, d);
  rescale<P, 1, componentsBelow(P + 1)>(inverse, d);
  addProducts<P>(d, source.c, target.c);
}

/// Kinds of interactions that the report counts.
enum Interactions { kCellsOnCells, kCellsOnBodies, kBodiesOnBodies, kInteractions };

/// A thread per target counts what acts on it.
static __global__ void totalsKernel(Tree tree, Pairs pairs, unsigned long long* totals) {
  const int cells = tree.cells.state->leaves + tree.cells.state->nodes;
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < cells; t += gridDim.x * blockDim.x) {
    const int cell = pairs.targets[t];
    const int* begin = pairs.lists[cell].begin;
    unsigned long long bodies = tree.cells.ranges[cell].y, sources = 0;
    for (int k = begin[kP2p]; k < begin[kP2p + 1]; ++k)
      sources += tree.cells.ranges[pairs.sources[k]].y;
    atomicAdd(totals + kCellsOnCells, begin[kM2l + 1] - begin[kM2l]);
    atomicAdd(totals + kCellsOnBodies, bodies * (begin[kM2p + 1] - begin[kM2p]));
    atomicAdd(totals + kBodiesOnBodies, bodies * sources);
  }
}

/// Returns the number of multiply-adds of m2l(), without the derivatives.
constexpr int multiplyAddsOf(int order) {
  int products = 0;
  for (int a = 1; a <= order; ++a)
    for (int b = 0; b <= order - a; ++b)
      if (b != 1) products += (a + 1) * (a + 2) / 2 * ((b + 1) * (b + 2) / 2);
  return products;
}

/// Memory of the method, kept from one evaluation to the next.
class ExpansionMemory {
 public:
  /// Reserves the lists of a tree with memory for \p cells cells.
  Pairs reservePairs(int bodies, int leaf, std::size_t cells) {
    const long long expected = 4LL * (bodies / leaf) + 64;  // about as many as there are
    capacity_ =
        std::max(capacity_, static_cast<int>(std::min<long long>(512 * expected, kMostSources)));
    pairs_ = {lists_.reserve(cells),
              sources_.reserve(capacity_),
              capacity_,
              targets_.reserve(cells),
              state_.reserve(1)};
    return pairs_;
  }

  /// Reserves an expansion for each of \p cells cells.
  template <int P>
  Multipole<P>* reserveMultipoles(std::size_t cells) {
    return reinterpret_cast<Multipole<P>*>(multipoles_.reserve(cells * Multipole<P>::kCount));
  }
  template <int P>
  Local<P>* reserveLocals(std::size_t cells) {
    return reinterpret_cast<Local<P>*>(locals_.reserve(cells * Local<P>::kCount));
  }

  /// Returns whether the lists lacked memory, which the next ones get. Throws BadInput if they would
  /// be too long. Waits for the device.
  bool lackedMemory() {
    const unsigned long long sources = state_.download(0, 1)[0].sources;
    if (sources <= static_cast<unsigned long long>(capacity_)) return false;
    if (capacity_ == kMostSources)
      throw BadInput(
          "--theta: too small for so many bodies: the lists of cells that act on cells "
          "would have more than 2,000,000,000 entries");
    capacity_ = static_cast<int>(std::min<unsigned long long>(sources + sources / 2, kMostSources));
    return true;
  }

  /// Returns the report of the last evaluation. Waits for the device.
  PhaseTimes report(const PhaseClock& clock, const TreeMemory& memory, int order) {
    unsigned long long* totals = totals_.reserve(kInteractions);
    fillDevice(totals, 0, kInteractions * sizeof *totals);
    totalsKernel<<<8 * multiprocessors(), 128, 0, stream()>>>(memory.tree(), pairs_, totals);
    CUDA_CHECK(cudaGetLastError());
    const std::vector<unsigned long long> found = totals_.download(0, kInteractions);
    const TreeState state = memory.state();
    const double cells = double(state.leaves) + state.nodes, bodies = memory.tree().sorted.count;
    const double onCells = found[kCellsOnCells], onBodies = found[kCellsOnBodies],
                 near = found[kBodiesOnBodies];
    const int flop = 2 * multiplyAddsOf(order);
    return {clock.ms(),
            {{"cells", cells},
             {"cells acting on a cell", onCells / cells},
             {"cells acting on a body", onBodies / bodies},
             {"sources a body", near / bodies}},
            {},
            onCells + onBodies + near,
            walk::kLeafFlop * near + walk::kNodeFlop * onBodies + flop * onCells,
            "at " + std::to_string(walk::kLeafFlop) + " FLOP for a body's pull, " +
                std::to_string(walk::kNodeFlop) + " for a cell's on a body and " +
                std::to_string(flop) + " for a cell's on a cell"};
  }

 private:
  static constexpr int kMostSources = 2'000'000'000;

  Pairs pairs_ = {};
  int capacity_ = 0;
  DeviceBuffer<SourceLists> lists_{"lists of the targets"};
  DeviceBuffer<int> sources_{"sources of the targets"}, targets_{"targets"};
  DeviceBuffer<PairState> state_{"counts of the pairs"};
  DeviceBuffer<real> multipoles_{"multipoles"}, locals_{"local expansions"};
  DeviceBuffer<unsigned long long> totals_{"the numbers of interactions"};
};

}  // namespace nbody::inline NBODY_PRECISION::fmm
