#include "ranks/threads/rank_threads.hpp"

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

/// Gives the turn to the next after \p rank.
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

}  // namespace nbody
