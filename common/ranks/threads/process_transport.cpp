#include "ranks/threads/process_transport.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace nbody {

RankThreads::RankThreads(int ranks) : ranks_(ranks), turn_(ranks) {
  for (int rank = 0; rank < ranks; ++rank)
    threads_.emplace_back([this, rank](const std::stop_token& stop) { work(rank, stop); });
}

void RankThreads::run(const std::function<void(int rank)>& job) {
  std::unique_lock lock(mutex_);
  for (Rank& rank : ranks_) rank = {.ended = false, .holds = {}, .whom = {}};
  job_ = &job;
  error_ = nullptr;
  turn_ = 0;
  changed_.notify_all();
  changed_.wait(lock, [&] { return turn_ == static_cast<int>(ranks_.size()); });
  if (error_) std::rethrow_exception(error_);
}

void RankThreads::work(int rank, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return turn_ == rank; })) {
    lock.unlock();
    std::exception_ptr error;
    try {
      (*job_)(rank);
    } catch (const Abandoned&) {
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (!error_) error_ = error;
    ranks_[rank].ended = true;
    passOn(rank);
  }
}

void RankThreads::await(int rank, const std::function<bool()>& holds, const std::string& whom) {
  std::unique_lock lock(mutex_);
  if (!holds()) {
    ranks_[rank] = {.ended = false, .holds = holds, .whom = whom};
    passOn(rank);
    changed_.wait(lock, [&] { return turn_ == rank; });
    ranks_[rank].holds = nullptr;
  }
  if (error_) throw Abandoned();
}

bool RankThreads::canGoOn(const Rank& rank) const {
  return !rank.ended && (error_ || !rank.holds || rank.holds());
}

/// Gives the turn to the next rank after \p rank.
void RankThreads::passOn(int rank) {
  const int count = static_cast<int>(ranks_.size());
  const auto next = [&] {
    for (int k = 1; k <= count; ++k)
      if (canGoOn(ranks_[(rank + k) % count])) return (rank + k) % count;
    return count;
  };
  turn_ = next();
  const bool allEnded =
      std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& r) { return r.ended; });
  if (turn_ == count && !allEnded) {
    error_ = std::make_exception_ptr(std::runtime_error(deadlock()));
    turn_ = next();
  }
  changed_.notify_all();
}

std::string RankThreads::deadlock() const {
  std::string text = "deadlock:";
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
    text += (rank == 0 ? " rank " : ", rank ") + std::to_string(rank) +
            (ranks_[rank].ended ? " has ended" : " waits " + ranks_[rank].whom);
  return text;
}

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

void ProcessTransport::gather(const real4* own, real4* all, const Layout& layout,
                              cudaStream_t link) {
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  for (int other = 0; other < layout.ranks(); ++other) {
    outgoing.push_back({own, layout.counts[rank_], other});
    incoming.push_back({all + layout.begins[other], layout.counts[other], other});
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
