#include "base/progress.hpp"

#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>

namespace nbody {

Progress::Progress(std::string what, int total) : what_(std::move(what)), total_(total) {
  if (isatty(STDERR_FILENO)) thread_ = std::jthread([this](std::stop_token stop) { show(stop); });
}

Progress::~Progress() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  if (verbose) std::fprintf(stderr, "%8.3f s  %s\n", elapsed.count(), what_.c_str());
}

void Progress::show(std::stop_token stop) {
  using namespace std::chrono_literals;
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any end;
  bool shown = false;
  auto ended = [&] { return stop.stop_requested(); };
  for (auto pause = 2000ms; !end.wait_for(lock, stop, pause, ended); pause = 250ms) {
    const auto elapsed = std::chrono::steady_clock::now() - start_;
    long long seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
    std::string count =
        total_ > 0 ? std::to_string(done_) + " of " + std::to_string(total_) + ", " : "";
    std::fprintf(stderr, "\r\033[K%s: %s%lld s", what_.c_str(), count.c_str(), seconds);
    shown = true;
  }
  if (shown) std::fputs("\r\033[K", stderr);
}

}  // namespace nbody
