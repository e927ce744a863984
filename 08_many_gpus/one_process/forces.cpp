/// \file
/// The forces of ranks that are threads of one process: what the tests of every step and the grader
/// call. The ranks' bodies are on one device, and each rank has streams of its own.
#include <optional>
#include <stdexcept>
#include <tuple>

#ifndef NBODY_GPU
#include "executor/runtime/settings.hpp"
#endif
#include "driver/step.hpp"
#include "exchange/rank_forces.hpp"
#include "exchange/segments.hpp"
#include "one_process/process_transport.hpp"
#include "one_process/routes.hpp"

namespace nbody {

namespace {

std::unique_ptr<RankForces> makeForces(const RankWork& work) {
  if (work.options.exchange == Exchange::gather) return makeGather(work);
  return work.options.exchange == Exchange::ring ? makeRing(work) : makePairs(work);
}

/// Each body is to be one rank's.
void check(const Shares& shares) {
  int end = 0;
  for (int rank = 0; rank < shares.ranks; ++rank) {
    const int begin = shares.begin(rank), count = shares.count(rank);
    if (begin != end || count < 0)
      throw std::runtime_error(
          "of " + std::to_string(shares.bodies) + " bodies rank " + std::to_string(rank) + " of " +
          std::to_string(shares.ranks) + " has " + std::to_string(count) + " from body " +
          std::to_string(begin) + " on; the ranks before it have " + std::to_string(end));
    end = begin + count;
  }
  if (end != shares.bodies)
    throw std::runtime_error("of " + std::to_string(shares.bodies) + " bodies the " +
                             std::to_string(shares.ranks) + " ranks have " + std::to_string(end));
}

void copy(real4* to, const real4* from, int count, cudaStream_t stream) {
  if (count == 0) return;
  CUDA_CHECK(cudaMemcpyAsync(to, from, count * sizeof(real4), cudaMemcpyDeviceToDevice, stream));
}

/// What a rank keeps.
class ProcessRank {
 public:
  ProcessRank(int rank, const Shares& shares, RankThreads& threads, Messages& messages)
      : rank_(rank),
        shares_(shares),
        transport_(rank, stream_, threads, messages),
        bodies_(shares.count(rank), "bodies"),
        accelerations_(shares.count(rank), "accelerations") {}

  /// Puts the forces on its own bodies on its stream, after \p begin. Called by its thread.
  void compute(const real4* bodies,
               real4* accelerations,
               real softeningSquared,
               const Options& options,
               const Event& begin) {
    useStream(stream_);
    if (!forces_) forces_ = makeForces({rank_, shares_, options, softeningSquared, transport_});
    const int first = shares_.begin(rank_), count = shares_.count(rank_);
    begin.holdUp(stream_);
    copy(bodies_.data(), bodies + first, count, stream_);
    accelerations_.poison();
    forces_->compute(bodies_, accelerations_, nullptr);
    transport_.requireFinished();
    travelled_ = transport_.takeTravelled();
    copy(accelerations + first, accelerations_.data(), count, stream_);
    end_.record(stream_);
  }

  const Event& end() const { return end_; }

  /// Of the last evaluation: that its bodies went as they are to go by this exchange.
  void checkTravel(Exchange exchange) const {
    checkRoute(exchange, rank_, shares_.ranks, travelled_.messages);
    if (exchange != Exchange::gather && travelled_.onOwnStream)
      throw std::runtime_error("rank " + std::to_string(rank_) +
                               "'s bodies travel on the stream of its sums: they wait for each "
                               "other, by this exchange they need not");
  }

 private:
  int rank_;
  Shares shares_;
  Stream stream_{0};
  ProcessTransport transport_;
  ProcessTransport::Travelled travelled_;
  DeviceArray<real4> bodies_, accelerations_;
  std::unique_ptr<RankForces> forces_;
  Event end_;
};

/// How often the host has waited for the device; a GPU does not count.
std::uint64_t hostWaits() {
#ifdef NBODY_GPU
  return 0;
#else
  return executor::hostWaits();
#endif
}

/// Gives the suite its own stream back at its end.
struct RanksTurns {
  ~RanksTurns() { useStream(nullptr); }
};

}  // namespace

struct Workspace {
  /// What the ranks are made for.
  std::tuple<int, int, Exchange, bool, bool, real> made;
  std::optional<RankThreads> threads;
  Messages messages;
  std::vector<std::unique_ptr<ProcessRank>> ranks;
  Event begin;

  /// Whether the ranks are those of the evaluation before.
  bool prepare(int bodies, real softeningSquared, const Options& options) {
    const auto wanted = std::tuple(bodies,
                                   options.ranks,
                                   options.exchange,
                                   options.ordered,
                                   options.equalMasses,
                                   softeningSquared);
    if (threads && made == wanted) {
      // Here and not at once: who asks again has found the forces right, and wrong ones tell more.
      for (const auto& rank : ranks) rank->checkTravel(options.exchange);
      return true;
    }
    const Shares shares = {bodies, options.ranks, options.ordered ? segmentOf(bodies) : 1};
    check(shares);
    ranks.clear();
    messages.clear();
    threads.emplace(shares.ranks);
    for (int rank = 0; rank < shares.ranks; ++rank)
      ranks.push_back(std::make_unique<ProcessRank>(rank, shares, *threads, messages));
    made = wanted;
    return false;
  }
};

std::shared_ptr<Workspace> makeWorkspace() { return std::make_shared<Workspace>(); }

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations,
                   Workspace& workspace) {
  const bool again = workspace.prepare(static_cast<int>(bodies.size()), softeningSquared, options);
  workspace.begin.record(stream());
  const std::uint64_t before = hostWaits();
  {
    const RanksTurns turns;
    workspace.threads->run([&](int rank) {
      workspace.ranks[rank]->compute(
          bodies.data(), accelerations.data(), softeningSquared, options, workspace.begin);
    });
  }
  // Not the first time: allocations wait too.
  if (again && options.exchange != Exchange::gather && hostWaits() > before)
    throw std::runtime_error(
        "the host waits for the device between the turns: by this exchange events order the "
        "streams");
  for (const auto& rank : workspace.ranks) rank->end().holdUp(stream());
}

}  // namespace nbody
