#include "driver/live/run.hpp"

#include <algorithm>
#include <cmath>

#include "base/bad_input.hpp"
#include "base/text.hpp"
#include "driver/validation.hpp"

namespace nbody {

namespace {

constexpr double kFrameMs = 1000.0 / 30;
constexpr double kAtOnceMs = 10;  ///< between two looks at what was asked
constexpr double kPausedMs = 50;
constexpr double kReturnMs = 1000;  ///< in which the viewers are back

}  // namespace

LiveRun::LiveRun(const Program& program, const Device& device, LiveModel& model, Start start)
    : program_(program),
      device_(device),
      model_(model),
      limits_(liveLimits(device)),
      numbers_(program, device),
      playing_(start.playing),
      ladder_(std::move(start.ladder)),
      refused_(std::move(start.refused)),
      programs_(std::move(start.programs)),
      watchToken_(std::move(start.watchToken)) {
  if (!refused_.empty()) tellRefusedMs_ = nowMs() + kReturnMs;
  if (start.conserved) numbers_.start(*start.conserved);
  else startNumbers();
}

void LiveRun::startNumbers() {
  numbers_.start(model_.simulation().download(), model_.settings().softening);
}

std::optional<int> LiveRun::serve(LiveServer& server, const std::function<bool()>& stopped) {
  climb_.reset();
  runChanged_ = frameDue_ = true;
  while (!stopped()) {
    const auto wait = std::chrono::duration<double, std::milli>(waitMs());
    for (const LiveRequest& request :
         server.requests(std::chrono::duration_cast<std::chrono::nanoseconds>(wait)))
      answer(server, request);
    if (climb_) return climb_;
    if (std::exchange(runChanged_, false)) tellRun(server);
    if (!refused_.empty() && server.viewers() > 0 && nowMs() >= tellRefusedMs_)
      server.answer(0, refusalText(std::exchange(refused_, "")));
    try {
      advance();
      if (nowMs() >= nextFrameMs_) showFrame(server);
      if (!broken_ && numbers_.checkIsDue()) check(server);
    } catch (const BadInput& error) {
      playing_ = false;
      broken_ = runChanged_ = true;
      refused_ = error.what();
    }
    if (nowMs() >= nextNumbersMs_) tellNumbers(server);
  }
  return std::nullopt;
}

double LiveRun::waitMs() const {
  if (!playing_ && leftInFrame_ == 0) return frameDue_ ? 0 : kPausedMs;
  const bool frameDone = leftInFrame_ == 0 && model_.settings().stepsPerFrame > 0;
  return frameDone ? std::clamp(nextFrameMs_ - nowMs(), 0.0, kFrameMs) : 0;
}

int LiveRun::stepsAtOnce() const {
  const double each = numbers_.stepMs();
  return each > 0 ? static_cast<int>(std::clamp(kAtOnceMs / each, 1.0, 1000.0)) : 1;
}

void LiveRun::advance() {
  if (broken_ || (!playing_ && leftInFrame_ == 0)) return;
  const int perFrame = model_.settings().stepsPerFrame;
  if (leftInFrame_ == 0 && perFrame > 0 && nowMs() < nextFrameMs_) return;
  if (leftInFrame_ == 0) leftInFrame_ = perFrame > 0 ? perFrame : stepsAtOnce();
  const int steps = std::min(leftInFrame_, stepsAtOnce());
  const double start = nowMs();
  model_.advance(steps);
  numbers_.count(steps, nowMs() - start);
  leftInFrame_ -= steps;
  frameDue_ |= leftInFrame_ == 0;
}

void LiveRun::showFrame(LiveServer& server) {
  const std::uint64_t joined = server.joined();
  if (std::exchange(joined_, joined) != joined) frameDue_ = true;
  if (!frameDue_ || broken_) return;
  // A late one is not made up for by many at once.
  nextFrameMs_ = std::max(nextFrameMs_ + kFrameMs, nowMs() + kFrameMs / 2);
  if (!server.takesFrame()) return;
  server.show([bodies = model_.shown(++frames_)] { return frameBytes(bodies); });
  frameDue_ = false;
}

}  // namespace nbody
