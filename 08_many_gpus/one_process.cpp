/// \file
/// The forces of ranks that are threads of one process. Tests and the grader use them.
/// All ranks' bodies are on one device, and each rank has its own streams.
#include <optional>
#include <stdexcept>
#include <tuple>

#include "08_many_gpus/rank_forces.hpp"
#include "08_many_gpus/routes.hpp"
#include "cuda/device_array.hpp"
#include "driver/step.hpp"
#include "ranks/threads/process_transport.hpp"

namespace nbody::inline NBODY_PRECISION::many_gpus {

namespace {

/// Throws unless each body belongs to exactly one rank.
void check(const Shares& shares) {
  int end = 0;
  for (int rank = 0; rank < shares.ranks; ++rank) {
    const int begin = shares.begin(rank), count = shares.count(rank);
    const std::string share = "the share of rank " + std::to_string(rank);
    if (begin != end)
      throw std::runtime_error(share + " begins at body " + std::to_string(begin) +
                               ", but it must begin at body " + std::to_string(end) +
                               ", where the previous share ends");
    if (count < 0) throw std::runtime_error(share + " has " + std::to_string(count) + " bodies");
    end = begin + count;
  }
  if (end != shares.bodies)
    throw std::runtime_error("the shares of the " + std::to_string(shares.ranks) + " ranks have " +
                             std::to_string(end) + " bodies together, not " +
                             std::to_string(shares.bodies));
}

void copy(real4* to, const real4* from, int count, cudaStream_t stream) {
  if (count == 0) return;
  CUDA_CHECK(cudaMemcpyAsync(to, from, count * sizeof(real4), cudaMemcpyDeviceToDevice, stream));
}

/// State of a rank.
class ProcessRank {
 public:
  ProcessRank(int rank, const Shares& shares, RankThreads& threads, Messages& messages)
      : rank_(rank),
        shares_(shares),
        transport_(rank, stream_, threads, messages),
        bodies_(shares.count(rank), "bodies"),
        accelerations_(shares.count(rank), "accelerations") {}

  /// Queues the forces on its bodies on its stream, after \p begin. Its own thread calls this.
  void compute(const real4* bodies,
               real4* accelerations,
               real softeningSquared,
               const Options& options,
               const Event& begin) {
    useStream(stream_);
    if (!forces_) {
      options_ = options;
      forces_ = makeRankForces({rank_, shares_, options_, softeningSquared, transport_});
    }
    const int first = shares_.begin(rank_), count = shares_.count(rank_);
    waitFor(stream_, begin);
    copy(bodies_.data(), bodies + first, count, stream_);
    accelerations_.poison();
    forces_->compute(bodies_, accelerations_, nullptr);
    transport_.requireFinished();
    travelled_ = transport_.takeTravelled();
    copy(accelerations + first, accelerations_.data(), count, stream_);
    end_.record(stream_);
  }

  const Event& end() const { return end_; }

  /// Throws if the bodies of the last evaluation did not travel as this exchange should send them.
  void checkTravel(Exchange exchange) const {
    checkRoute(exchange, rank_, shares_.ranks, travelled_.messages);
    if (exchange != Exchange::gather && travelled_.onOwnStream)
      throw std::runtime_error(
          "rank " + std::to_string(rank_) +
          " sends bodies on the stream that also computes its sums, so that sending and computing "
          "cannot overlap: send the bodies on the separate stream");
  }

 private:
  int rank_;
  Shares shares_;
  Options options_;
  Stream stream_{0};
  ProcessTransport transport_;
  ProcessTransport::Travelled travelled_;
  DeviceArray<real4> bodies_, accelerations_;
  std::unique_ptr<RankForces> forces_;
  Event end_;
};

/// Restores the suite's stream at its end.
struct RanksTurns {
  ~RanksTurns() { useStream(nullptr); }
};

}  // namespace

struct Workspace {
  /// Values for which the ranks were made.
  std::tuple<int, int, Exchange, bool, bool, real> made;
  std::optional<RankThreads> threads;
  Messages messages;
  std::vector<std::unique_ptr<ProcessRank>> ranks;
  Event begin;
  int again = 0;  ///< evaluations since the first one with these ranks
  std::uint64_t waits = 0;  ///< number of waits of the ranks' hosts in the last evaluation

  /// Checks how the last evaluation was done, from the third one on. By then the caller has checked
  /// the forces, and wrong forces are reported first. The first one also waits for memory.
  void checkWays(Exchange exchange) const {
    for (const auto& rank : ranks) rank->checkTravel(exchange);
    if (waits > 0 && exchange != Exchange::gather)
      throw std::runtime_error(
          "the host waits for the device between the turns of the exchange: order the streams with "
          "events instead");
  }

  void prepare(int bodies, real softeningSquared, const Options& options) {
    const auto requested = std::tuple(bodies,
                                      options.ranks,
                                      options.exchange,
                                      options.ordered,
                                      options.equalMasses,
                                      softeningSquared);
    if (threads && made == requested) {
      if (again++) checkWays(options.exchange);
      return;
    }
    again = 0;
    const Shares shares = {bodies, options.ranks, options.shareUnit(bodies)};
    check(shares);
    ranks.clear();
    messages.clear();
    threads.emplace(shares.ranks);
    for (int rank = 0; rank < shares.ranks; ++rank)
      ranks.push_back(std::make_unique<ProcessRank>(rank, shares, *threads, messages));
    made = requested;
  }
};

std::shared_ptr<Workspace> makeWorkspace() { return std::make_shared<Workspace>(); }

void computeForces(const DeviceArray<real4>& bodies,
                   real softeningSquared,
                   const Options& options,
                   DeviceArray<real4>& accelerations,
                   Workspace& workspace) {
  workspace.prepare(static_cast<int>(bodies.size()), softeningSquared, options);
  workspace.begin.record(stream());
  const std::uint64_t before = hostWaits();
  {
    const RanksTurns turns;
    workspace.threads->run([&](int rank) {
      workspace.ranks[rank]->compute(
          bodies.data(), accelerations.data(), softeningSquared, options, workspace.begin);
    });
  }
  workspace.waits = hostWaits() - before;
  for (const auto& rank : workspace.ranks) waitFor(stream(), rank->end());
}

}  // namespace nbody::inline NBODY_PRECISION::many_gpus
