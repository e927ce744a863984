#include "ranks/threads/process_transport.hpp"

#include <stdexcept>

namespace nbody {

namespace {

std::string bodies(int count) { return std::to_string(count) + " bodies"; }
std::string rank(int number) { return "rank " + std::to_string(number); }

void copy(const Incoming& in, const real4* from, cudaStream_t link) {
#ifdef NBODY_GPU
  CUDA_CHECK(
      cudaMemcpyAsync(in.data, from, in.count * sizeof(real4), cudaMemcpyDeviceToDevice, link));
#else
  CUDA_CHECK(cudaMemcpyAsync(in.data, from, in.count * sizeof(real4), cudaMemcpyDeviceToDevice,
                             link, {in.file, in.line}));
#endif
}

}  // namespace

void ProcessTransport::start(const std::vector<Outgoing>& outgoing,
                             const std::vector<Incoming>& incoming, cudaStream_t link) {
  for (const Outgoing& out : outgoing) {
    auto message = std::make_shared<Message>(out.data, out.count);
    message->sent.record(link);
    messages_[{rank_, out.to}].push_back(message);
    outgoing_.push_back(std::move(message));
    if (out.to == rank_) continue;
    ++travelled_.messages[out.to];
    travelled_.onOwnStream |= link == own_;
  }
  incoming_.insert(incoming_.end(), incoming.begin(), incoming.end());
}

void ProcessTransport::finish(cudaStream_t link) {
  for (const Incoming& in : incoming_) receive(in, link);
  incoming_.clear();
  for (const auto& message : outgoing_) {
    await([&] { return message->isTaken; },
          "until its " + bodies(message->count) + " are received");
    waitFor(link, message->taken);
  }
  outgoing_.clear();
}

void ProcessTransport::await(const std::function<bool()>& holds, const std::string& whom) {
  threads_.await(rank_, holds, whom);
  useStream(own_);
}

void ProcessTransport::receive(const Incoming& in, cudaStream_t link) {
  auto& queue = messages_[{in.from, rank_}];
  await([&] { return !queue.empty(); }, "for " + bodies(in.count) + " from " + rank(in.from));
  const std::shared_ptr<Message> message = queue.front();
  queue.pop_front();
  if (message->count != in.count)
    throw std::runtime_error(rank(rank_) + " expects " + bodies(in.count) + " from " +
                             rank(in.from) + ", but " + rank(in.from) + " sends " +
                             bodies(message->count));
  waitFor(link, message->sent);
  if (in.count > 0) copy(in, message->data, link);
  message->taken.record(link);
  message->isTaken = true;
}

void ProcessTransport::gather(const real4* own, real4* all, const Shares& shares,
                              cudaStream_t link) {
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  for (int other = 0; other < shares.ranks; ++other) {
    outgoing.push_back({own, shares.count(rank_), other});
    incoming.push_back({all + shares.begin(other), shares.count(other), other});
  }
  start(outgoing, incoming, link);
  finish(link);
}

void ProcessTransport::requireFinished() const {
  if (!incoming_.empty() || !outgoing_.empty())
    throw std::runtime_error(rank(rank_) +
                             " starts a transport with start() and never calls finish()");
}

}  // namespace nbody
