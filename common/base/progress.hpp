/// \file
/// A progress line on the terminal.
#pragma once

#include <atomic>
#include <stop_token>
#include <string>
#include <thread>

namespace nbody {

/// Shows on stderr what is being done, for how long and how far, while it lives: from the third
/// second on, and only where stderr is a terminal.
class Progress {
 public:
  /// \param what   what is being done: "leapfrog steps"
  /// \param total  pieces of it, or 0 where they are not counted
  explicit Progress(std::string what, int total = 0);
  void advance(int steps) { done_ += steps; }

 private:
  void show(std::stop_token stop);

  std::string what_;
  int total_;
  std::atomic<int> done_ = 0;
  std::jthread thread_;  ///< the last member: it ends before the others go
};

}  // namespace nbody
