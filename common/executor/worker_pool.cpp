#include "executor/worker_pool.hpp"

#include <algorithm>

namespace nbody::executor {

WorkerPool& WorkerPool::instance() {
  static WorkerPool pool;
  return pool;
}

int WorkerPool::cores() { return std::max(1u, std::thread::hardware_concurrency()); }

void WorkerPool::run(int threads, const std::function<void()>& job) {
  {
    std::lock_guard lock(mutex_);
    helpers_ = busy_ = threads - 1;
    job_ = &job;
    ++generation_;
    for (int number = static_cast<int>(threads_.size()); number < helpers_; ++number)
      threads_.emplace_back([this, number] { work(number); });
  }
  started_.notify_all();
  job();
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return busy_ == 0; });
  helpers_ = 0;
}

void WorkerPool::work(int number) {
  unsigned seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    started_.wait(lock, [&] { return stopping_ || (generation_ != seen && number < helpers_); });
    if (stopping_) return;
    seen = generation_;
    const std::function<void()>& job = *job_;
    lock.unlock();
    job();
    lock.lock();
    if (--busy_ == 0) ended_.notify_one();
  }
}

WorkerPool::~WorkerPool() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  started_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

}  // namespace nbody::executor
