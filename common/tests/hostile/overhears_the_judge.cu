// Kind: bodies elsewhere
// Tries: a thread that overhears what the judge asks: a copy of the pipe, which stays as full as it
//   was.
// Stopped by: the grader: a submission has no threads of the host's and no pipes.
// Calls: checked
// Trusted: 0
#include <atomic>
#include <mutex>
#include <thread>

#include "host_sum.hpp"

static int requestDescriptor() {
  const std::string words = textOf("/proc/self/cmdline");
  return std::atoi(words.c_str() + words.find('\0') + 1);
}

static std::mutex mutex;
static std::vector<char> heard;

const int started = [] {
  std::thread([from = requestDescriptor()] {
    int ends[2];
    if (pipe(ends) != 0 || fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0) return;
    std::vector<char> bytes(1 << 20);
    for (;;) {
      const ssize_t there = tee(from, ends[1], bytes.size(), 0);
      if (there <= 0) return;
      const ssize_t got = read(ends[0], bytes.data(), there);
      const std::scoped_lock lock(mutex);
      if (got >= static_cast<ssize_t>(heard.size()) || got > 600)
        heard.assign(bytes.begin(), bytes.begin() + got);
    }
  }).detach();
  return 0;
}();

void answer(Call call) {
  const int count = static_cast<int>(call.bodies.size());
  const std::size_t size = count * sizeof(real4);
  std::vector<real4> bodies(count);
  {
    const std::scoped_lock lock(mutex);
    if (heard.size() < size)
      throw std::runtime_error("heard " + std::to_string(heard.size()) + " bytes");
    std::memcpy(bodies.data(), heard.data() + heard.size() - size, size);
  }
  readAll(call);
  hostAnswer(call, bodies.data());
}
