/// \file
/// OS threads that live as long as the program, because their fibers' stacks do.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace nbody::executor {

class WorkerPool {
 public:
  static WorkerPool& instance();
  static int cores();

  /// Runs \p job on the calling thread and \p threads - 1 others at once; returns when all have
  /// ended.
  void run(int threads, const std::function<void()>& job);

  ~WorkerPool();

 private:
  void work(int number);

  std::mutex mutex_;
  std::condition_variable started_;
  std::condition_variable ended_;
  std::vector<std::thread> threads_;
  const std::function<void()>* job_ = nullptr;
  unsigned generation_ = 0;  ///< counts jobs
  int helpers_ = 0;  ///< threads that take part in the job
  int busy_ = 0;  ///< of them, those not done
  bool stopping_ = false;
};

}  // namespace nbody::executor
