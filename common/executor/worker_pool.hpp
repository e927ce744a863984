/// \file
/// OS threads that live as long as the program, because their fibers' stacks do.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "executor/signal_stack.hpp"

namespace nbody::executor {

class WorkerPool {
 public:
  static WorkerPool& instance() {
    static WorkerPool pool;
    return pool;
  }

  /// Runs \p job on the calling thread and on \p threads - 1 others at the same time. Returns when
  /// all have ended.
  void run(int threads, const std::function<void()>& job) {
    std::unique_lock lock(mutex_);
    busy_ = threads - 1;
    job_ = &job;
    ++generation_;
    makeHelpers(threads - 1);
    lock.unlock();
    started_.notify_all();
    job();
    lock.lock();
    ended_.wait(lock, [this] { return busy_ == 0; });
    helpers_ = 0;
  }

  /// Runs the job that runs now on one thread more.
  void add() {
    const std::lock_guard lock(mutex_);
    ++busy_;
    makeHelpers(helpers_ + 1);
    started_.notify_all();
  }

 private:
  /// Makes threads until there are \p count that take part.
  void makeHelpers(int count) {
    helpers_ = count;
    for (int number = static_cast<int>(threads_.size()); number < helpers_; ++number)
      threads_.emplace_back([this, number](std::stop_token stop) { work(number, stop); });
  }

  void work(int number, std::stop_token stop) {
    const SignalStack signalStack;
    unsigned seen = 0;
    std::unique_lock lock(mutex_);
    while (started_.wait(lock, stop, [&] { return generation_ != seen && number < helpers_; })) {
      seen = generation_;
      const std::function<void()>& job = *job_;
      lock.unlock();
      job();
      lock.lock();
      if (--busy_ == 0) ended_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any started_;
  std::condition_variable ended_;
  const std::function<void()>* job_ = nullptr;
  unsigned generation_ = 0;  ///< number of the job
  int helpers_ = 0;  ///< threads that take part in the job
  int busy_ = 0;  ///< threads that are not done
  std::vector<std::jthread> threads_;  ///< the last member: they stop before the others go
};

}  // namespace nbody::executor
