/// \file
/// Exchanges locally essential trees, before one walk over a rank's own and the received parts.
#pragma once

#include "11_distributed_tree/graft.cuh"
#include "11_distributed_tree/rank_work.hpp"
#include "11_distributed_tree/typed_messages.hpp"
#include "ranks/communicator.hpp"

namespace nbody::inline NBODY_PRECISION::distributed_tree {

class TreeExchange {
 public:
  explicit TreeExchange(const RankWork& work) : work_(work) {}

  /// Cuts \p octree for the other ranks, and grafts what they send onto it. Collective. Waits for
  /// the device once, to learn how much was cut.
  /// \param octree    null: this rank has no bodies
  /// \param capacity  memory after the tree
  /// \param build     builds the same tree again, if there was too little memory after it
  /// \return sum of everything received
  template <class Build>
  RemoteCounts exchange(TunedTree* octree,
                        RemoteCapacity& capacity,
                        Timeline* timeline,
                        Build build) {
    gatherBoxes(octree, timeline);
    TimedSpan cutting(timeline, Timeline::let, stream());
    const std::vector<RemoteCounts> own = cutFor(octree);
    cutting.end();
    const std::vector<RemoteCounts> all = Communicator::world().allToAll(own);
    std::vector<RemoteCounts> remotes;
    for (int t = 0; t + 1 < work_.shares.ranks; ++t) remotes.push_back(all[rankOf(t)]);
    const RemoteCounts sum = sumOf(remotes);
    if (octree) checkNodes(remotes, octree->tree().cells.nodeCapacity);
    if (octree && capacity.grow(rootNodes(work_.shares.ranks - 1) + sum.nodes, sum.bodies)) build();
    const std::vector<RemotePlacement> places = placesOf(remotes, octree ? octree->tree() : Tree{});
    received_.reserve(sum.cells);
    exchangeTrees(own, remotes, places, octree, timeline);
    const TimedSpan grafting(timeline, Timeline::let, stream());
    if (octree) graft(*octree, received_.data(), places, roots_);
    return sum;
  }

 private:
  /// Throws if this rank's tree and all remote subtrees have too many nodes to number.
  void checkNodes(const std::vector<RemoteCounts>& remotes, int own) const {
    long long nodes = 1LL + own + rootNodes(work_.shares.ranks - 1);
    for (const RemoteCounts& remote : remotes) nodes += remote.nodes;
    if (nodes <= kMaxNodes) return;
    throw std::runtime_error(
        "the tree of rank " + std::to_string(work_.rank) + " has " + std::to_string(nodes) +
        " nodes with those of other ranks, but at most " + std::to_string(kMaxNodes) +
        " can be numbered: use more ranks, or a larger --leaf");
  }

  static RemoteCounts sumOf(const std::vector<RemoteCounts>& announced) {
    RemoteCounts sum = {};
    for (const RemoteCounts& each : announced) {
      sum.cells += each.cells;
      sum.nodes += each.nodes;
      sum.bodies += each.bodies;
    }
    return sum;
  }

  /// Returns the rank to which message or remote subtree \p t belongs.
  int rankOf(int t) const { return (work_.rank + 1 + t) % work_.shares.ranks; }

  void gatherBoxes(const TunedTree* octree, Timeline* timeline) {
    const TimedSpan transfer(timeline, Timeline::communication, stream());
    const int ranks = work_.shares.ranks;
    BoundaryBox* own = own_.reserve(levels_.count());
    all_.reserve(std::size_t(ranks) * levels_.count());
    setBoundary(octree, levels_, own);
    gatherAll(work_.transport, own, all_.data(), levels_.count(), ranks, stream());
  }

  void startCut(const TunedTree& octree) {
    const int others = work_.shares.ranks - 1;
    sent_.cells = cells_.reserve(std::size_t(others) * sent_.cellCapacity);
    sent_.nodeNumbers = nodeNumbers_.reserve(std::size_t(others) * sent_.cellCapacity);
    sent_.bodies = bodies_.reserve(std::size_t(others) * sent_.bodyCapacity);
    sent_.counts = counts_.reserve(others);
    launchCut(octree, all_.data(), levels_, work_.rank, others, sent_);
  }

  /// Cuts, and repeats it if memory was too small. Returns the counts by rank.
  std::vector<RemoteCounts> cutFor(const TunedTree* octree) {
    const int ranks = work_.shares.ranks;
    std::vector<RemoteCounts> own(ranks, RemoteCounts{0, 0, 0});
    for (bool fits = octree == nullptr; !fits;) {
      startCut(*octree);
      const std::vector<SentCounts> counts = counts_.download(0, ranks - 1);
      int cells = 0, bodies = 0;
      for (int t = 0; t < ranks - 1; ++t) {
        const SentCounts& count = counts[t];
        own[rankOf(t)] = {count.cells, 1 + count.nodesAbove(kKeyLevels + 2), count.bodies};
        cells = std::max(cells, count.cells);
        bodies = std::max(bodies, count.bodies);
      }
      fits = cells <= sent_.cellCapacity && bodies <= sent_.bodyCapacity;
      if (cells > sent_.cellCapacity) sent_.cellCapacity = cells + cells / 4;
      if (bodies > sent_.bodyCapacity) sent_.bodyCapacity = bodies + bodies / 4;
    }
    return own;
  }

  /// Sends what was cut, and receives the remote subtrees.
  void exchangeTrees(const std::vector<RemoteCounts>& own,
                     const std::vector<RemoteCounts>& remotes,
                     const std::vector<RemotePlacement>& places,
                     const TunedTree* octree,
                     Timeline* timeline) {
    const TimedSpan transfer(timeline, Timeline::communication, stream());
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    SentCell* cells = received_.data();
    for (std::size_t t = 0; t < remotes.size(); ++t) {
      const int rank = rankOf(t);
      send(outgoing, sent_.cells + t * sent_.cellCapacity, own[rank].cells, rank);
      send(outgoing, sent_.bodies + t * sent_.bodyCapacity, own[rank].bodies, rank);
      receive(incoming, cells, remotes[t].cells, rank);
      if (octree)  // ranks without bodies receive none
        receive(
            incoming, octree->tree().sorted.bodies + places[t].firstBody, remotes[t].bodies, rank);
      cells += remotes[t].cells;
    }
    work_.transport.start(outgoing, incoming, stream());
    work_.transport.finish(stream());
  }

  const RankWork& work_;
  const CoverLevels levels_{work_.shares.bodies / work_.shares.ranks, work_.options.group};
  OutgoingTrees sent_ = {nullptr, nullptr, nullptr, nullptr, 4096, 4096};
  DeviceBuffer<BoundaryBox> own_{"boxes of this rank"}, all_{"boxes of all ranks"};
  DeviceBuffer<SentCell> cells_{"cells for other ranks"}, received_{"cells of other ranks"};
  DeviceBuffer<real4> bodies_{"bodies for other ranks"};
  DeviceBuffer<int> nodeNumbers_{"nodes for other ranks"},
      roots_{"first nodes of the trees of other ranks"};
  DeviceBuffer<SentCounts> counts_{"how much there is for other ranks"};
};

}  // namespace nbody::inline NBODY_PRECISION::distributed_tree
