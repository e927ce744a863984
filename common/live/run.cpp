#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "base/bad_input.hpp"
#include "base/text.hpp"
#include "driver/run_program.hpp"
#include "live/model.hpp"
#include "live/pipes.hpp"
#include "driver/report.hpp"
#include "driver/snapshot_files.hpp"
#include "driver/validation.hpp"
#include "physics/conserved.hpp"
#include "physics/reference.hpp"

namespace nbody {

namespace {

constexpr double kBetweenChecksMs = 3000;
constexpr double kShareOfChecks = 0.01;  ///< largest share of the run's time
constexpr double kPairsOfCheck = 3e7;  ///< few enough not to delay a frame

Json jsonOf(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

/// Energies of more bodies would delay a frame, even on a GPU.
Conserved conservedNow(const Bodies& bodies, double softening) {
  return bodies.count() > kMostForEnergy ? conservedMomenta(bodies)
                                         : conservedQuantities(bodies, softening);
}

ForceError errorOf(const Simulation& simulation, const Bodies& bodies, double softening) {
  const int most = std::clamp(static_cast<int>(kPairsOfCheck / bodies.count()), 32, 1000);
  const std::vector<int> sample = sampleOf(bodies.count(), most);
  return compareForces(simulation.accelerations(), sample,
                       referenceAccelerations(bodies, softening, sample),
                       0);  // only the distribution is shown
}

/// The numbers of a live run: speed, errors and conserved quantities. Speeds do not include checks.
class LiveNumbers {
 public:
  LiveNumbers(const Program& program, const Device& device) : program_(program), device_(device) {}

  /// Measures drift from \p bodies from now on.
  void start(const Bodies& bodies, double softening) { start_ = conservedNow(bodies, softening); }
  void start(const Conserved& conserved) { start_ = conserved; }
  const Conserved& conservedAtStart() const { return start_; }

  /// Adds \p steps that took \p ms.
  void count(int steps, double ms) {
    running_.steps += steps;
    running_.ms += ms;
    if (last_.steps == 0) last_ = running_;
  }

  /// Forgets speed and errors, because the simulation has changed.
  void forget() {
    running_ = last_ = {};
    parts_.reset();
    error_.reset();
    drift_.reset();
    nextCheckMs_ = 0;
  }

  bool checkIsDue() const { return nowMs() >= nextCheckMs_; }

  /// Checks the present accelerations of \p simulation.
  void check(Simulation& simulation, double softening, double time) {
    const double started = nowMs();
    const Bodies bodies = simulation.download();
    if (const std::string found = notFinite(bodies); !found.empty())
      throw BadInput("run: " + found + "; reset it, with shorter steps or more softening");
    error_ = errorOf(simulation, bodies, softening);
    errorTime_ = time;
    drift_ = driftOf(start_, conservedNow(bodies, softening));
    parts_ = measurePhases(simulation, 1, false);
    simulation.synchronize();
    const double ended = nowMs();
    nextCheckMs_ = ended + std::max(kBetweenChecksMs, (ended - started) / kShareOfChecks);
  }

  /// Returns the mean time of a step so far, in ms; 0 if there was none.
  double stepMs() const { return last_.steps > 0 ? last_.ms / last_.steps : 0; }

  /// Ends the interval of the mean speed, and returns members of the message "numbers".
  Json numbers(int bodies) {
    if (running_.steps > 0) last_ = std::exchange(running_, {});
    std::optional<Speed> speed;
    if (last_.steps > 0 && device_.kind != "executor")
      speed = speedOf(stepMs(), bodies, !program_.doublePrecision, parts_, device_);
    Json error = nullptr;
    if (error_) error = {{"median", error_->median}, {"p99", error_->p99}, {"at", errorTime_}};
    return {{"stepsPerSecond", speed ? Json(1e3 / stepMs()) : Json(nullptr)},
            {"interactionsPerSecond", speed ? Json(speed->interactionsPerSecond) : Json(nullptr)},
            {"gflops", speed ? Json(speed->gflops) : Json(nullptr)},
            {"ceilingShare", speed ? jsonOf(speed->fmaShare) : Json(nullptr)},
            {"error", error},
            {"energyDrift", drift_ ? jsonOf(drift_->energy) : Json(nullptr)},
            {"momentumDrift", drift_ ? Json(drift_->momentum) : Json(nullptr)}};
  }

 private:
  struct Interval {
    int steps = 0;
    double ms = 0;
  };

  const Program& program_;
  const Device& device_;
  Conserved start_ = {};
  Interval running_, last_;
  std::optional<PhaseTimes> parts_;  ///< counts of a step that has parts
  std::optional<ForceError> error_;
  double errorTime_ = 0;
  std::optional<Drift> drift_;
  double nextCheckMs_ = 0;  ///< time from nowMs()
};

constexpr double kFrameMs = 1000.0 / 30;
constexpr double kAtOnceMs = 10;  ///< between two reads of orders
constexpr double kPausedMs = 50;
constexpr double kNumbersMs = 1000;
constexpr char kBroken[] = "run: a position is not a finite number; reset it";

/// Takes steps, obeys orders and sends messages to the viewers.
class LiveRun {
 public:
  /// \param state  the run's state at the start, besides its model
  LiveRun(const Program& program, const Device& device, LiveModel& model, LiveState state)
      : program_(program),
        device_(device),
        model_(model),
        state_(std::move(state)),
        mostBodies_(mostBodies(device)),
        numbers_(program, device),
        playing_(state_.playing) {
    if (state_.conserved) numbers_.start(*state_.conserved);
    else startNumbers();
  }

  /// Runs until \p pipes are closed at the other end, or the state is left for another program.
  void serve(LivePipes& pipes) {
    while (!pipes.ended()) {
      const auto wait = std::chrono::nanoseconds(std::llround(1e6 * waitMs()));
      for (auto line = pipes.line(wait); line; line = pipes.line({})) hear(pipes, *line);
      if (left_) return;
      if (std::exchange(runChanged_, false)) tellRun(pipes);
      if (!refused_.empty() && viewers_ > 0) pipes.tell(refusal(std::exchange(refused_, ""), 0));
      try {
        advance();
        if (const std::string found = pipes.trouble(); !found.empty()) throw BadInput(found);
        if (nowMs() >= nextFrameMs_) showFrame(pipes);
        if (!broken_ && numbers_.checkIsDue()) check(pipes);
      } catch (const BadInput& error) {
        playing_ = false;
        broken_ = runChanged_ = true;
        refused_ = error.what();
      }
      if (nowMs() >= nextNumbersMs_) tellNumbers(pipes);
    }
  }

 private:
  void startNumbers() {
    numbers_.start(model_.simulation().download(), model_.settings().softening);
  }

  void hear(LivePipes& pipes, const std::string& line) {
    const Json message = Json::parse(line);
    if (message.contains("viewers")) {
      const int before = std::exchange(viewers_, message["viewers"].get<int>());
      frameDue_ |= viewers_ > before;  // a paused run sends a frame to new viewers
      return;
    }
    const bool leaves = message.contains("leave");
    try {
      if (leaves) leave(pipes, message["leave"]);
      else obey(orderOf(message.at("text")));
    } catch (const std::exception& error) {  // also if the device lacks memory
      Json text = refusal(error.what(), message.at("viewer"));
      text["stays"] = leaves;  // the run continues
      pipes.tell(text);
    }
  }

  void obey(const Json& order) {
    const std::string act = order.value("do", "set");
    if (broken_ && (act == "play" || act == "step")) throw BadInput(kBroken);
    if (act == "set") {
      set(changed(model_.settings(), order["set"], mostBodies_, program_));
    } else if (act == "reset") {
      model_.restart();
      broken_ = false;
      startNumbers();
      numbers_.forget();
    } else {
      playing_ = act == "play";
      if (!playing_) leftInFrame_ = act == "step";
    }
    runChanged_ = frameDue_ = true;
  }

  void set(const LiveSettings& settings) {
    const LiveSettings before = model_.settings();
    if (broken_ && !settings.restarts(before) && settings.rebuilds(before)) throw BadInput(kBroken);
    model_.set(settings);
    if (!settings.rebuilds(before)) return;
    if (settings.restarts(before)) broken_ = false;
    // The energy depends on the softening.
    if (settings.restarts(before) || settings.softening != before.softening) startNumbers();
    numbers_.forget();
  }

  /// Ends the run, unless the next program could not read its bodies.
  void leave(LivePipes& pipes, const std::string& path) {
    if (broken_) throw BadInput(kBroken);
    const LiveSettings& settings = model_.settings();
    writeSnapshot(path, model_.simulation().download(), model_.moment().time, settings.softening);
    try {  // refuses here what the next program would refuse, because bodies would be lost there
      readInput(SnapshotFile(path), settings.softening, program_.doublePrecision);
    } catch (const BadInput& error) {
      throw BadInput(std::string("climb: ") + error.what());
    }
    state_.settings = settings;
    state_.moment = model_.moment();
    state_.conserved = numbers_.conservedAtStart();
    state_.playing = playing_;
    state_.program = program_.name;
    pipes.tell({{"type", "left"}, {"state", json(state_)}});
    left_ = true;
  }

  double waitMs() const {
    if (!playing_ && leftInFrame_ == 0) return frameDue_ ? 0 : kPausedMs;
    const bool frameDone = leftInFrame_ == 0 && model_.settings().stepsPerFrame > 0;
    return frameDone ? std::clamp(nextFrameMs_ - nowMs(), 0.0, kFrameMs) : 0;
  }

  int stepsAtOnce() const {
    const double each = numbers_.stepMs();
    return each > 0 ? static_cast<int>(std::clamp(kAtOnceMs / each, 1.0, 1000.0)) : 1;
  }

  void advance() {
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

  void showFrame(LivePipes& pipes) {
    if (!frameDue_ || broken_) return;
    // A late frame is not followed by several at once.
    nextFrameMs_ = std::max(nextFrameMs_ + kFrameMs, nowMs() + kFrameMs / 2);
    if (viewers_ == 0 || !pipes.takesFrame()) return;
    pipes.show([bodies = model_.shown(++frames_)] { return frameBytes(bodies()); });
    frameDue_ = false;
  }

  void tellRun(LivePipes& pipes) {
    const LiveSettings& settings = model_.settings();
    Json scenes = Json::array(), components = Json::array();
    for (const Scene& scene : nbody::scenes()) scenes.push_back(scene.name);
    for (const BodyRange& part : model_.components())
      components.push_back({{"name", part.name}, {"first", part.first}, {"count", part.count}});
    pipes.tell({{"type", "run"},
                {"program", program_.name},
                {"precision", program_.doublePrecision ? "fp64" : "fp32"},
                {"device", device_.name},
                {"kind", device_.kind},
                {"scene", settings.scene->name},
                {"bodies", settings.count()},
                {"shown", model_.shownCount()},
                {"seed", settings.seed},
                {"components", components},
                {"scenes", scenes},
                {"settings", rowsOf(settings, mostBodies_, model_.resolved())},
                {"colour", settings.colour},
                {"playing", playing_},
                {"stepsPerFrame", settings.stepsPerFrame}});
  }

  void check(LivePipes& pipes) {
    numbers_.check(model_.simulation(), model_.settings().softening, model_.moment().time);
    tellNumbers(pipes);
  }

  void tellNumbers(LivePipes& pipes) {
    nextNumbersMs_ = nowMs() + kNumbersMs;
    Json numbers = {
        {"type", "numbers"}, {"time", model_.moment().time}, {"steps", model_.moment().steps}};
    numbers.update(numbers_.numbers(model_.settings().count()));
    pipes.tell(numbers);
  }

  const Program& program_;
  const Device& device_;
  LiveModel& model_;
  LiveState state_;  ///< settings, moment and conserved quantities are those at the start
  int mostBodies_;
  LiveNumbers numbers_;
  bool playing_;
  std::string refused_;  ///< the error that stopped the run, until a viewer has seen it
  bool broken_ = false;  ///< a position is not finite; only a restart helps
  bool left_ = false;
  int leftInFrame_ = 0;  ///< steps
  bool frameDue_ = true, runChanged_ = true;
  int viewers_ = 0;
  std::uint32_t frames_ = 0;
  double nextFrameMs_ = 0, nextNumbersMs_ = 0;  ///< times from nowMs()
};

/// Returns the device of \p program. Measures a GPU's peak rate unless \p state has it.
Device deviceOf(const Program& program, LiveState& state) {
  Device device = program.device(false);
  if (device.kind != "gpu") return device;
  if (device.name == state.gpu) device.fma.tflops = state.tflops;
  else device = program.device(true);
  state.gpu = device.name;
  state.tflops = device.fma.tflops;
  return device;
}

/// Returns the first line, or "" if the pipes were closed before.
std::string firstLine(LivePipes& pipes) {
  while (!pipes.ended())
    if (const auto line = pipes.line(std::chrono::hours(1))) return *line;
  return "";
}

void serve(const Program& program, RunOptions& options, SofteningRange range, LivePipes& pipes) {
  if (options.input.empty()) {
    LiveState state = {.settings = givenSettings(options, program)};
    const Device device = deviceOf(program, state);
    LiveModel model(program, state.settings);
    LiveRun(program, device, model, std::move(state)).serve(pipes);
  } else {
    LiveState state = stateOf(firstLine(pipes));
    const Device device = deviceOf(program, state);
    // A program that continues its own run has already accepted its settings.
    if (state.program != program.name) checkBodies(state.settings, mostBodies(device));
    const auto file = openInput(options, range);
    LiveModel model(program, state.settings,
                    readInput(*file, state.settings.softening, program.doublePrecision),
                    state.moment);
    LiveRun(program, device, model, std::move(state)).serve(pipes);
  }
}

}  // namespace

int runLive(const Program& program, RunOptions& options, SofteningRange range) {
  LivePipes pipes(options.live);
  try {
    serve(program, options, range, pipes);
  } catch (const std::exception& error) {
    pipes.tell({{"type", "failed"}, {"why", error.what()}});
    throw;
  }
  return 0;
}

}  // namespace nbody
