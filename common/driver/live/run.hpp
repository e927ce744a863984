/// \file
/// A live run: steps, what its viewers ask, and what they are told.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "driver/live/model.hpp"
#include "driver/live/numbers.hpp"
#include "driver/live/orders.hpp"
#include "movie/live/live_server.hpp"

namespace nbody {

class LiveRun {
 public:
  /// What a run starts with, besides its model.
  struct Start {
    bool playing = true;
    Json ladder = Json::array();
    std::optional<Conserved> conserved = {};  ///< at the start; nothing: now
    std::string refused = {};  ///< to be told to all, "what: why"
    std::map<int, std::string> programs = {};  ///< that keys climb to: their names
    std::string watchToken = {};  ///< for who is in control to pass on
  };

  LiveRun(const Program& program, const Device& device, LiveModel& model, Start start);

  /// Goes on until \p stopped or a climb that can be tried. Returns its key, or nothing.
  std::optional<int> serve(LiveServer& server, const std::function<bool()>& stopped);

  bool playing() const { return playing_; }
  const Json& ladder() const { return ladder_; }
  const Conserved& conservedAtStart() const { return numbers_.conservedAtStart(); }

  /// What refused a climb, "what: why", is told when serve() goes on.
  void tellLater(const std::string& refused) { refused_ = refused; }

 private:
  void answer(LiveServer& server, const LiveRequest& request);
  void obey(const LiveOrder& order);
  void set(const LiveSettings& settings);
  void startNumbers();
  void advance();
  int stepsAtOnce() const;
  double waitMs() const;
  void showFrame(LiveServer& server);
  void check(LiveServer& server);
  void tellRun(LiveServer& server);
  void tellNumbers(LiveServer& server);

  const Program& program_;
  const Device& device_;
  LiveModel& model_;
  LiveLimits limits_;
  LiveNumbers numbers_;
  bool playing_;
  Json ladder_;
  std::string refused_;
  std::map<int, std::string> programs_;
  std::string watchToken_;
  std::optional<int> climb_;
  bool broken_ = false;  ///< a position is not finite: only a restart helps
  int leftInFrame_ = 0;  ///< steps
  bool frameDue_ = true, runChanged_ = true;
  std::uint32_t frames_ = 0;
  std::uint64_t joined_ = 0;
  double nextFrameMs_ = 0, nextNumbersMs_ = 0, tellRefusedMs_ = 0;  ///< by nowMs()
};

}  // namespace nbody
