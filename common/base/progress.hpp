/// \file
/// A progress line on the terminal.
#pragma once

#include <atomic>
#include <chrono>
#include <stop_token>
#include <string>
#include <thread>

namespace nbody {

/// Shows on stderr what the program is doing, for how long and how far, as long as it lives. It
/// starts in the third second, and only if stderr is a terminal. With verbose, it prints how long it lived.
class Progress {
 public:
  static inline bool verbose = false;

  /// \param what   what the program is doing: "leapfrog steps"
  /// \param total  number of pieces, or 0 if they are not counted
  explicit Progress(std::string what, int total = 0);
  ~Progress();
  void advance(int steps) { done_ += steps; }

 private:
  void show(std::stop_token stop);

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::string what_;
  int total_;
  std::atomic<int> done_ = 0;
  std::jthread thread_;  ///< the last member, so that it ends before the others are destroyed
};

}  // namespace nbody
