/// \file
/// The exchange of locally essential trees: cut before the walk of a rank's own tree, sent beside it.
#pragma once

#include "exchange/rank_forces.hpp"
#include "let/forest.cuh"
#include "let/typed.hpp"
#include "ranks/ranks.hpp"

namespace nbody {

/// What a rank tells another before it sends: only its device knew. This is all that the hosts have to
/// tell each other in an evaluation.
struct Announced {
  int cells, nodes, bodies;
  double work;  ///< FLOP of the sender's walk before this one
};

class Essential {
 public:
  explicit Essential(const RankWork& work) : work_(work) {}

  /// Puts the cutting of \p octree for the other ranks on the suite's stream, before the walk: the
  /// walk's blocks stay to its end, and no others would find room.
  /// \param octree  null: this rank has no bodies
  void cut(const DeviceOctree* octree, Spans* spans) {
    Timed travel(spans, Spans::communication, stream());
    const int ranks = work_.shares.ranks;
    BoundaryBox* own = own_.reserve(levels_.count());
    all_.reserve(std::size_t(ranks) * levels_.count());
    setBoundary(octree ? &octree->arrays() : nullptr, levels_, own);
    gatherAll(work_.transport, own, all_.data(), levels_.count(), ranks, stream());
    travel.end();
    Timed cutting(spans, Spans::let, stream());
    if (octree) startCut(*octree);
    cutting.end();
    linkFollows();  // and the walk before has read the forest
  }

  /// Sends what was cut and starts to receive as much, while what is put on the suite's stream goes on.
  /// \param work  this rank's
  /// \return what each rank has announced; of this one its work alone
  std::vector<Announced> start(const DeviceOctree* octree, double work, Spans* spans) {
    std::vector<Announced> own = cutFor(octree);
    for (Announced& announced : own) announced.work = work;
    const std::vector<Announced> others = Ranks::world().swapped(own);
    reserve(others);
    travel_ = std::make_unique<Timed>(spans, Spans::communication, link_);
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    SentCell* cells = received_.data();
    for (std::size_t t = 0; t < trees_.size(); ++t) {
      const int rank = rankOf(t);
      send(outgoing, sent_.cells + t * sent_.cellRoom, own[rank].cells, rank);
      send(outgoing, sent_.bodies + t * sent_.bodyRoom, own[rank].bodies, rank);
      receive(incoming, cells, others[rank].cells, rank);
      receive(incoming, forest_.bodies() + trees_[t].firstBody, others[rank].bodies, rank);
      cells += others[rank].cells;
    }
    work_.transport.start(outgoing, incoming, link_);
    return others;
  }

  /// What is put on the suite's stream from now on finds the forest.
  void finish(Spans* spans) {
    work_.transport.finish(link_);
    travel_.reset();
    Timed grafting(spans, Spans::let, link_);
    forest_.graft(received_.data(), trees_, link_);
    grafting.end();
    ready_.record(link_);
    ready_.holdUp(stream());
  }

  Forest& forest() { return forest_; }
  /// On which things are sent; other work there comes after the cut, beside the walk.
  cudaStream_t link() const { return link_; }

 private:
  /// The rank that message or tree \p t is of.
  int rankOf(int t) const { return (work_.rank + 1 + t) % work_.shares.ranks; }

  void startCut(const DeviceOctree& octree) {
    const int others = work_.shares.ranks - 1;
    sent_.cells = cells_.reserve(std::size_t(others) * sent_.cellRoom);
    sent_.words = words_.reserve(std::size_t(others) * sent_.cellRoom);
    sent_.bodies = bodies_.reserve(std::size_t(others) * sent_.bodyRoom);
    sent_.counts = counts_.reserve(others);
    launchCut(octree, all_.data(), levels_, work_.rank, others, sent_, stream());
  }

  /// What is put on link() from now on comes after all on the suite's stream.
  void linkFollows() {
    ready_.record(stream());
    ready_.holdUp(link_);
  }

  /// Waits for the cut, and repeats one for which there was no room. By rank.
  std::vector<Announced> cutFor(const DeviceOctree* octree) {
    const int ranks = work_.shares.ranks;
    std::vector<Announced> own(ranks, Announced{0, 0, 0, 0});
    for (bool fits = octree == nullptr; !fits;) {
      std::vector<SentCounts> counts(ranks - 1);
      CUDA_CHECK(cudaMemcpyAsync(counts.data(),
                                 sent_.counts,
                                 counts.size() * sizeof(SentCounts),
                                 cudaMemcpyDeviceToHost,
                                 link_));
      CUDA_CHECK(cudaStreamSynchronize(link_));
      int cells = 0, bodies = 0;
      for (int t = 0; t < ranks - 1; ++t) {
        const SentCounts& count = counts[t];
        own[rankOf(t)] = {count.cells, 1 + count.nodesAbove(kKeyLevels + 2), count.bodies, 0};
        cells = std::max(cells, count.cells);
        bodies = std::max(bodies, count.bodies);
      }
      fits = cells <= sent_.cellRoom && bodies <= sent_.bodyRoom;
      if (fits) break;
      if (cells > sent_.cellRoom) sent_.cellRoom = cells + cells / 4;
      if (bodies > sent_.bodyRoom) sent_.bodyRoom = bodies + bodies / 4;
      startCut(*octree);
      linkFollows();
    }
    return own;
  }

  /// Makes room for what \p others have announced.
  void reserve(const std::vector<Announced>& others) {
    trees_.clear();
    int cells = 0, node = topNodes(work_.shares.ranks - 1), bodies = 0;
    for (int t = 0; t + 1 < work_.shares.ranks; ++t) {
      const Announced& tree = others[rankOf(t)];
      trees_.push_back({tree.cells, node, bodies});
      cells += tree.cells;
      node += tree.nodes;
      bodies += tree.bodies;
    }
    received_.reserve(cells);
    forest_.clear(node, bodies, link_);
  }

  const RankWork& work_;
  const BoundaryLevels levels_{work_.shares.bodies / work_.shares.ranks, work_.options.group};
  Stream link_{kLinkAhead};
  Event ready_;
  SentTrees sent_ = {nullptr, nullptr, nullptr, nullptr, 4096, 4096};
  Forest forest_;
  std::vector<Grafted> trees_;  ///< where each that comes goes
  std::unique_ptr<Timed> travel_;
  DeviceBuffer<BoundaryBox> own_{"boxes of this rank"}, all_{"boxes of all ranks"};
  DeviceBuffer<SentCell> cells_{"cells for other ranks"}, received_{"cells of other ranks"};
  DeviceBuffer<real4> bodies_{"bodies for other ranks"};
  DeviceBuffer<int> words_{"nodes for other ranks"};
  DeviceBuffer<SentCounts> counts_{"how much there is for other ranks"};
};

}  // namespace nbody
