#include "ranks/transport.hpp"

#ifdef NBODY_NCCL
#include <nccl.h>

#include "ranks/communicator.hpp"

namespace nbody {

namespace {

void check(ncclResult_t status, const char* function) {
  if (status != ncclSuccess)
    throw CudaError(std::string(function) + ": " + ncclGetErrorString(status));
}

constexpr ncclDataType_t kNumber = sizeof(real) == sizeof(double) ? ncclDouble : ncclFloat;

std::size_t numbers(int bodies) { return 4 * static_cast<std::size_t>(bodies); }

/// NCCL's thread blocks for messages that are sent while forces are computed. Each waits for room
/// between blocks of the forces, and no other block seems to start in that time. With NCCL's own
/// choice a step at N = 16,384 is slower (docs/results/experiments/ranks_variants.json). Four blocks send
/// fewer bytes per second, but forces hide that time.
constexpr int kBlocksBesideForces = 4;

/// Returns NCCL's communicator of all ranks. Collective at the first call of each kind. To connect the
/// ranks takes up to a second, so the communicator stays until the process ends.
ncclComm_t communicatorOf(const Communicator& ranks, bool besideForces) {
  static ncclComm_t made[2] = {};
  ncclComm_t& comm = made[besideForces];
  if (comm != nullptr) return comm;
  ncclUniqueId id = {};
  if (ranks.rank() == 0) check(ncclGetUniqueId(&id), "ncclGetUniqueId");
  ranks.broadcast(id);
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  if (besideForces) config.maxCTAs = kBlocksBesideForces;
  check(ncclCommInitRankConfig(&comm, ranks.size(), id, ranks.rank(), &config),
        "ncclCommInitRankConfig");
  return comm;
}

class NcclTransport : public Transport {
 public:
  NcclTransport(const Communicator& ranks, bool besideForces)
      : comm_(communicatorOf(ranks, besideForces)) {}

  std::string name() const override {
    int version = 0;
    check(ncclGetVersion(&version), "ncclGetVersion");
    return "NCCL " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100);
  }

  void start(const std::vector<Outgoing>& outgoing,
             const std::vector<Incoming>& incoming,
             cudaStream_t link) override {
    // In a group, sends and receives cannot block each other in any order.
    check(ncclGroupStart(), "ncclGroupStart");
    for (const Outgoing& out : outgoing)
      check(ncclSend(out.data, numbers(out.count), kNumber, out.to, comm_, link), "ncclSend");
    for (const Incoming& in : incoming)
      check(ncclRecv(in.data, numbers(in.count), kNumber, in.from, comm_, link), "ncclRecv");
    check(ncclGroupEnd(), "ncclGroupEnd");
  }

  void finish(cudaStream_t) override {}  // the stream waits instead

  void gather(const real4* own, real4* all, const Layout& layout, cudaStream_t link) override {
    if (layout.even())
      return check(ncclAllGather(own, all, numbers(layout.counts[0]), kNumber, comm_, link),
                   "ncclAllGather");
    check(ncclGroupStart(), "ncclGroupStart");
    for (int rank = 0; rank < layout.ranks(); ++rank)
      check(ncclBroadcast(own,
                          all + layout.begins[rank],
                          numbers(layout.counts[rank]),
                          kNumber,
                          rank,
                          comm_,
                          link),
            "ncclBroadcast");
    check(ncclGroupEnd(), "ncclGroupEnd");
  }

  bool capturable() const override { return true; }

 private:
  ncclComm_t comm_;
};

}  // namespace

std::unique_ptr<Transport> makeNcclTransport(const Communicator& ranks, bool besideForces) {
  return std::make_unique<NcclTransport>(ranks, besideForces);
}

}  // namespace nbody
#else
namespace nbody {

std::unique_ptr<Transport> makeNcclTransport(const Communicator&, bool) { return nullptr; }

}  // namespace nbody
#endif
