#include <cub/device/device_scan.cuh>
#include <numeric>

#include "11_distributed_tree/decomposition_kernels.cuh"
#include "11_distributed_tree/typed_messages.hpp"

namespace nbody::inline NBODY_PRECISION::distributed_tree {

namespace {

constexpr int kBlock = 128;

/// Returns the smallest key of every rank except the first, from the samples of all ranks.
std::vector<std::uint64_t> bordersFrom(const std::vector<Samples>& ofRanks) {
  std::vector<std::pair<std::uint64_t, double>> keys;
  double all = 0;
  for (const Samples& samples : ofRanks) {
    if (samples.work == 0) continue;
    for (std::uint64_t key : samples.keys)
      keys.emplace_back(key, static_cast<double>(samples.work) / kSamples);
    all += static_cast<double>(samples.work);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint64_t> borders;
  const int ranks = static_cast<int>(ofRanks.size());
  double before = 0;
  for (const auto& [key, work] : keys) {
    while (static_cast<int>(borders.size()) + 1 < ranks &&
           before + work / 2 >= all * (borders.size() + 1.0) / ranks)
      borders.push_back(key);
    before += work;
  }
  borders.resize(ranks - 1, ~std::uint64_t{0});
  return borders;
}

}  // namespace

Decomposition::Decomposition(const RankWork& work)
    : work_(work),
      indices_(work.shares.count(work.rank), "indices of the bodies"),
      previous_(indices_.size(), "previous accelerations"),
      workOfBodies_(indices_.size(), "work by body") {
  std::vector<int> indices(count());
  std::iota(indices.begin(), indices.end(), work.shares.begin(work.rank));
  indices_.upload(indices);
  workOfBodies_.upload(std::vector<unsigned>(count(), 1));
  previous_.clear();
}

void Decomposition::setWork(const TunedTree& octree, const Work* ofGroups) {
  const Tree& tree = octree.tree();
  const unsigned blocks = blocksFor(tree.sorted.count, kBlock);
  workKernel<<<blocks, kBlock, 0, stream()>>>(tree, ofGroups, workOfBodies_.data());
  CUDA_CHECK(cudaGetLastError());
}

Samples Decomposition::samplesOf(const TunedTree& octree) {
  const Tree& tree = octree.tree();
  Work* sorted = sortedWork_.reserve(count());
  sortWorkKernel<<<blocksFor(count(), kBlock), kBlock, 0, stream()>>>(
      tree.sorted.order, count(), workOfBodies_.data(), sorted);
  std::size_t bytes = 0;
  const auto call = [&](void* scratch) {
    CUDA_CHECK(cub::DeviceScan::InclusiveSum(scratch, bytes, sorted, sorted, count(), stream()));
  };
  call(nullptr);  // returns only the number of bytes
  call(scratch_.reserve(bytes));
  samplesKernel<<<kSamples / kBlock, kBlock, 0, stream()>>>(
      tree.sorted.keys, sorted, count(), samples_.reserve(1));
  CUDA_CHECK(cudaGetLastError());
  return samples_.download(0, 1)[0];
}

std::vector<int> Decomposition::firstsOf(const TunedTree& octree) {
  const int inner = work_.shares.ranks - 1;
  std::vector<int> firsts(inner, 0);
  if (count() > 0) {
    bordersKernel<<<blocksFor(inner, kBlock), kBlock, 0, stream()>>>(
        octree.tree().sorted.keys, count(), borders_.data(), inner, firsts_.reserve(inner));
    CUDA_CHECK(cudaGetLastError());
    firsts = firsts_.download(0, inner);
  }
  firsts.insert(firsts.begin(), 0);
  firsts.push_back(count());
  return firsts;
}

int Decomposition::migrate(const std::vector<int>& firsts) {
  const Communicator& ranks = Communicator::world();
  const MigratingBody* leaving = leaving_.data();
  std::vector<int> counts(ranks.size());
  for (int rank = 0; rank < ranks.size(); ++rank) counts[rank] = firsts[rank + 1] - firsts[rank];
  const std::vector<int> coming = ranks.allToAll(counts);
  const int here = std::accumulate(coming.begin(), coming.end(), 0);
  MigratingBody* arrived = coming_.reserve(here);
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  for (int rank = 0, first = 0; rank < ranks.size(); first += coming[rank++]) {
    if (rank != work_.rank) {
      send(outgoing, leaving + firsts[rank], counts[rank], rank);
      receive(incoming, arrived + first, coming[rank], rank);
    } else if (coming[rank] > 0) {
      CUDA_CHECK(cudaMemcpyAsync(arrived + first,
                                 leaving + firsts[rank],
                                 coming[rank] * sizeof(MigratingBody),
                                 cudaMemcpyDefault,
                                 stream()));
    }
  }
  work_.transport.start(outgoing, incoming, stream());
  work_.transport.finish(stream());
  return here;
}

void Decomposition::sort(const Extent& all, TunedTree& tree, const OwnBodies& own) const {
  PhaseClock clock(false);
  if (count() > 0) tree.sort(all, own.bodies, work_.options, clock);
}

void Decomposition::decompose(const Extent& all, TunedTree& tree, OwnBodies& own) {
  sort(all, tree, own);
  const Samples samples = count() > 0 ? samplesOf(tree) : Samples{};
  borders_.upload(bordersFrom(Communicator::world().allGather(samples)));
  exchange(tree, own);
}

void Decomposition::migrate(const Extent& all, TunedTree& tree, OwnBodies& own) {
  sort(all, tree, own);
  exchange(tree, own);
}

void Decomposition::exchange(const TunedTree& tree, OwnBodies& own) {
  const std::vector<int> firsts = firstsOf(tree);
  MigratingBody* leaving = leaving_.reserve(count());
  if (count() > 0)
    packKernel<<<blocksFor(count(), kBlock), kBlock, 0, stream()>>>(own.bodies.data(),
                                                                    own.velocities.data(),
                                                                    previous_.data(),
                                                                    indices_.data(),
                                                                    workOfBodies_.data(),
                                                                    tree.tree().sorted.order,
                                                                    count(),
                                                                    leaving);
  CUDA_CHECK(cudaGetLastError());
  const int here = migrate(firsts);
  own.resize(here);
  own.accelerations.poison();
  indices_.resize(here);
  previous_.resize(here);
  workOfBodies_.resize(here);
  if (here == 0) return;
  unpackKernel<<<blocksFor(here, kBlock), kBlock, 0, stream()>>>(coming_.data(),
                                                                 here,
                                                                 own.bodies.data(),
                                                                 own.velocities.data(),
                                                                 previous_.data(),
                                                                 indices_.data(),
                                                                 workOfBodies_.data());
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace nbody::inline NBODY_PRECISION::distributed_tree
