#include "live/pipes.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <utility>

#include "base/bad_input.hpp"
#include "bodies/byte_order.hpp"

namespace nbody {

namespace {

bool isPipe(int descriptor) {
  struct stat file;
  return fstat(descriptor, &file) == 0 && S_ISFIFO(file.st_mode);
}

}  // namespace

LivePipes::LivePipes(const std::string& descriptors) {
  char more;
  if (std::sscanf(descriptors.c_str(), "%d,%d%c", &in_, &out_, &more) != 2 || !isPipe(in_) ||
      !isPipe(out_))
    throw BadInput("--live: type ./run live, which starts the programs and serves the page");
  std::signal(SIGPIPE, SIG_IGN);  // write() then returns an error if the reader is gone
  writer_ = std::thread([this] { write(); });
}

LivePipes::~LivePipes() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_one();
  writer_.join();
  close(in_);
  close(out_);
}

std::optional<std::string> LivePipes::line(std::chrono::nanoseconds longest) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(longest);
  const timespec wait = {seconds.count(), (longest - seconds).count()};
  pollfd ready = {in_, POLLIN, 0};
  if (read_.find('\n') == read_.npos && !ended_ && ppoll(&ready, 1, &wait, nullptr) > 0) {
    char bytes[4096];
    const ssize_t count = read(in_, bytes, sizeof bytes);
    if (count > 0) read_.append(bytes, count);
    else if (count == 0 || errno != EINTR) ended_ = true;
  }
  const std::size_t end = read_.find('\n');
  if (end == read_.npos) return std::nullopt;
  const std::string line = read_.substr(0, end);
  read_.erase(0, end + 1);
  return line;
}

void LivePipes::tell(const Json& text) {
  const std::lock_guard lock(mutex_);
  texts_.push_back(text.dump(-1, ' ', false, Json::error_handler_t::replace));
  changed_.notify_one();
}

void LivePipes::show(std::function<std::string()> make) {
  const std::lock_guard lock(mutex_);
  frameWaits_ = true;
  frame_ = std::move(make);
  changed_.notify_one();
}

std::string LivePipes::trouble() {
  const std::lock_guard lock(mutex_);
  return std::exchange(trouble_, "");
}

void LivePipes::write() {
  std::unique_lock lock(mutex_);
  for (bool isRead = true; isRead;) {
    changed_.wait(lock, [this] { return closing_ || !texts_.empty() || frame_; });
    if (texts_.empty() && closing_) return;
    std::string text, found;
    std::function<std::string()> frame;
    if (texts_.empty()) {
      frame = std::exchange(frame_, nullptr);
    } else {
      text = std::move(texts_.front());
      texts_.pop_front();
    }
    lock.unlock();
    try {
      isRead = writeMessage(frame ? frame() : text);
    } catch (const BadInput& error) {
      found = error.what();
    }
    if (frame) frameWaits_ = false;
    lock.lock();
    if (!found.empty()) trouble_ = found;
  }
  ended_ = true;
}

bool LivePipes::writeMessage(const std::string& bytes) {
  const auto length = reordered(static_cast<std::uint32_t>(bytes.size()), std::endian::little);
  std::string message(reinterpret_cast<const char*>(&length), sizeof length);
  message += bytes;
  for (std::size_t done = 0; done < message.size();) {
    const ssize_t count = ::write(out_, message.data() + done, message.size() - done);
    if (count > 0) done += count;
    else if (errno != EINTR) return false;
  }
  return true;
}

}  // namespace nbody
