#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include "ranks/communicator.hpp"
#include "ranks/host_buffer.hpp"
#include "ranks/transport.hpp"

namespace nbody {

namespace {

/// Returns whether MPI reads and writes GPU memory.
bool mpiSeesDevices() {
#if defined(NBODY_GPU) && defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

void finishStream(cudaStream_t stream) { CUDA_CHECK(cudaStreamSynchronize(stream)); }

/// MPI on GPU memory, or on copies in host memory.
class MpiTransport : public Transport {
 public:
  explicit MpiTransport(bool staged) : staged_(staged) {}

  std::string name() const override {
    return staged_ ? "MPI through the host's memory" : "CUDA-aware MPI";
  }
  bool capturable() const override { return false; }

  void start(const std::vector<Outgoing>& outgoing,
             const std::vector<Incoming>& incoming,
             cudaStream_t link) override {
    std::vector<const real4*> from;
    for (const Outgoing& out : outgoing) from.push_back(outgoingCopy(out, from.size(), link));
    finishStream(link);  // the data to send is written, and earlier copies have left the host
    incoming_ = incoming;
    for (std::size_t k = 0; k < incoming.size(); ++k) receive(incoming[k], k);
    for (std::size_t k = 0; k < outgoing.size(); ++k) send(outgoing[k], from[k]);
  }

  void finish(cudaStream_t link) override {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
    if (!staged_) return;
    for (std::size_t k = 0; k < incoming_.size(); ++k)
      copy(incoming_[k].data, received_[k].data(), incoming_[k].count, link);
  }

  void gather(const real4* own, real4* all, const Layout& layout, cudaStream_t link) override {
    const int count = layout.counts[Communicator::world().rank()];
    const real4* from = outgoingCopy({own, count, 0}, 0, link);
    finishStream(link);
    real4* to = staged_ ? buffer(received_, 0, layout.bodies()) : all;
    MPI_Allgatherv(from,
                   count,
                   bodyType(),
                   to,
                   layout.counts.data(),
                   layout.begins.data(),
                   bodyType(),
                   MPI_COMM_WORLD);
    if (staged_) copy(all, to, layout.bodies(), link);
  }

 private:
  static real4* buffer(std::vector<HostBuffer>& buffers, std::size_t k, int count) {
    if (buffers.size() <= k) buffers.resize(k + 1);
    return buffers[k].reserve(count);
  }

  static void copy(real4* to, const real4* from, int count, cudaStream_t link) {
    CUDA_CHECK(cudaMemcpyAsync(to, from, count * sizeof(real4), cudaMemcpyDefault, link));
  }

  /// Returns the address that MPI should read.
  const real4* outgoingCopy(const Outgoing& out, std::size_t k, cudaStream_t link) {
    if (!staged_) return out.data;
    real4* host = buffer(sent_, k, out.count);
    copy(host, out.data, out.count, link);
    return host;
  }

  void receive(const Incoming& in, std::size_t k) {
    real4* to = staged_ ? buffer(received_, k, in.count) : in.data;
    MPI_Irecv(to, in.count, bodyType(), in.from, 0, MPI_COMM_WORLD, &requests_.emplace_back());
  }

  void send(const Outgoing& out, const real4* from) {
    MPI_Isend(from, out.count, bodyType(), out.to, 0, MPI_COMM_WORLD, &requests_.emplace_back());
  }

  bool staged_;
  std::vector<HostBuffer> sent_, received_;
  std::vector<Incoming> incoming_;
  std::vector<MPI_Request> requests_;
};

}  // namespace

std::unique_ptr<Transport> makeTransport(const Communicator& ranks, bool besideForces) {
  auto nccl = ranks.sharesGpu() ? nullptr : makeNcclTransport(ranks, besideForces);
  if (nccl) return nccl;
  return std::make_unique<MpiTransport>(!mpiSeesDevices());
}

}  // namespace nbody
