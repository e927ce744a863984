/// \file
/// The two pipes between a live run and the server of its page (server.py). Orders come in, one
/// line of JSON each. Texts (JSON) and frames go out, each after its length in 4 bytes,
/// little-endian.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "driver/report_json.hpp"

namespace nbody {

/// Never waits for the reader, because a thread writes.
class LivePipes {
 public:
  /// \param descriptors  "IN,OUT"; throws BadInput unless both are pipes. Closes them at the end.
  explicit LivePipes(const std::string& descriptors);

  /// Writes the remaining texts, unless the reader is gone.
  ~LivePipes();
  LivePipes(const LivePipes&) = delete;
  LivePipes& operator=(const LivePipes&) = delete;

  /// Returns the next line, for which it waits up to \p longest.
  std::optional<std::string> line(std::chrono::nanoseconds longest);

  /// Returns whether the other side has closed its end.
  bool ended() const { return ended_; }

  void tell(const Json& text);

  /// Returns whether the last frame has been read.
  bool takesFrame() const { return !frameWaits_; }

  /// Writes the frame that \p make returns. The writing thread calls \p make.
  void show(std::function<std::string()> make);

  /// Returns the message of a BadInput from \p make since the last call, or "".
  std::string trouble();

 private:
  void write();
  bool writeMessage(const std::string& bytes);

  int in_ = -1, out_ = -1;
  std::string read_;  ///< input after the last complete line
  std::atomic<bool> ended_ = false, frameWaits_ = false;
  std::mutex mutex_;  ///< guards the next five
  std::condition_variable changed_;
  std::deque<std::string> texts_;
  std::function<std::string()> frame_;
  std::string trouble_;
  bool closing_ = false;
  std::thread writer_;
};

}  // namespace nbody
