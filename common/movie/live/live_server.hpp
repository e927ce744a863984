/// \file
/// Serves the page of a live run and speaks with its viewers, in a thread of its own. It knows no
/// simulation: texts and frames go out, requests come in.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "movie/live/listener.hpp"
#include "movie/live/token.hpp"

namespace nbody {

/// What a viewer with the control token sent.
struct LiveRequest {
  std::uint64_t viewer;
  std::string text;  ///< at most kMostMessageBytes
};

/// Nothing here waits for a viewer.
class LiveServer {
 public:
  /// \param page  HTML; must outlive the server
  LiveServer(const Listener& listener, LiveTokens tokens, std::string_view page);
  ~LiveServer();

  /// Sends a text to all viewers, and to each who comes later the last of each \p kind.
  void tell(const std::string& kind, const std::string& toControl, const std::string& toWatchers);
  void tell(const std::string& kind, const std::string& text) { tell(kind, text, text); }

  /// Sends a text to one viewer; to all who are there now with viewer 0.
  void answer(std::uint64_t viewer, const std::string& text);

  /// Whether somebody would see a frame, and none waits to be made.
  bool takesFrame() const;

  /// Sends the frame that \p make returns, called in the server's thread, to each viewer whose last
  /// one is on its way.
  void show(std::function<std::string()> make);

  /// What was asked since the last call; waits for it up to \p longest.
  std::vector<LiveRequest> requests(std::chrono::nanoseconds longest);

  int viewers() const;
  std::uint64_t joined() const;  ///< viewers so far
  std::uint64_t framesDropped() const;

  /// Sends \p text to all, closes their connections as a restart (1012), and leaves those that come
  /// from now on waiting in the listening socket.
  void endForRestart(const std::string& text);

 private:
  struct Threads;
  std::unique_ptr<Threads> threads_;
};

}  // namespace nbody
