/// \file
/// A live run: steps, what its viewers ask, and what they are told.
#pragma once

#include <string>

#include "driver/live/model.hpp"
#include "driver/live/numbers.hpp"
#include "driver/live/orders.hpp"
#include "driver/live/pipes.hpp"
#include "driver/live/state.hpp"

namespace nbody {

class LiveRun {
 public:
  /// \param state  what the run starts with, besides its model
  LiveRun(const Program& program, const Device& device, LiveModel& model, LiveState state);

  /// Runs until nobody is at the other end of \p pipes, or until the state is left for another
  /// program.
  void serve(LivePipes& pipes);

 private:
  void hear(LivePipes& pipes, const std::string& line);
  void obey(const LiveOrder& order);
  void set(const LiveSettings& settings);
  void leave(LivePipes& pipes, const std::string& path);
  void startNumbers();
  void advance();
  int stepsAtOnce() const;
  double waitMs() const;
  void showFrame(LivePipes& pipes);
  void check(LivePipes& pipes);
  void tellRun(LivePipes& pipes);
  void tellNumbers(LivePipes& pipes);

  const Program& program_;
  const Device& device_;
  LiveModel& model_;
  LiveState state_;  ///< the settings, moment and conserved quantities are those at its start
  LiveLimits limits_;
  LiveNumbers numbers_;
  bool playing_;
  std::string refused_;  ///< what stopped the run, "what: why", until somebody sees it
  bool broken_ = false;  ///< a position is not finite: only a restart helps
  bool left_ = false;
  int leftInFrame_ = 0;  ///< steps
  bool frameDue_ = true, runChanged_ = true;
  int viewers_ = 0;
  std::uint32_t frames_ = 0;
  double nextFrameMs_ = 0, nextNumbersMs_ = 0;  ///< by nowMs()
};

}  // namespace nbody
