#include "base/progress.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace nbody {

Progress::Progress(std::string what, int total) : what_(std::move(what)), total_(total) {
  if (isatty(STDERR_FILENO)) thread_ = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
  }
  end_.notify_one();
  thread_.join();
}

void Progress::show() {
  using namespace std::chrono_literals;
  constexpr auto kSilent = 2s;
  auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  bool shown = false;
  for (auto pause = 2000ms; !end_.wait_for(lock, pause, [this] { return ended_; }); pause = 250ms) {
    auto elapsed = std::chrono::steady_clock::now() - start;
    if (elapsed < kSilent) continue;
    long long seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
    std::string count =
        total_ > 0 ? std::to_string(done_) + " of " + std::to_string(total_) + ", " : "";
    std::fprintf(stderr, "\r\033[K%s: %s%lld s", what_.c_str(), count.c_str(), seconds);
    shown = true;
  }
  if (shown) std::fputs("\r\033[K", stderr);
}

}  // namespace nbody
