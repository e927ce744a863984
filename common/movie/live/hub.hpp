/// \file
/// What the connections of a LiveServer share. Requests and numbers are for the simulation's thread
/// too; the rest is the network thread's alone.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "movie/live/live_server.hpp"

namespace nbody {

class HttpConnection;
class Viewer;

struct LiveText {
  std::string toControl, toWatchers;

  const std::string& of(Right right) const {
    return right == Right::control ? toControl : toWatchers;
  }
};

struct Hub {
  LiveTokens tokens;
  std::string_view page;
  std::string address;

  std::map<std::string, LiveText> lastTexts;  ///< by kind
  std::list<std::weak_ptr<HttpConnection>> unknown;  ///< without a token so far, the oldest first
  std::set<std::shared_ptr<Viewer>> viewers;
  int connections = 0;
  std::uint64_t lastViewer = 0;
  bool ending = false;

  std::atomic<int> viewerCount = 0;
  std::atomic<std::uint64_t> joined = 0;
  std::atomic<std::uint64_t> framesDropped = 0;
  std::atomic<bool> frameWaits = false;  ///< to be made

  std::mutex mutex;  ///< of what follows
  std::condition_variable asked;
  std::vector<LiveRequest> requests;
};

}  // namespace nbody
