#include "driver/live.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>

#include "base/bad_input.hpp"
#include "base/text.hpp"
#include "driver/live_programs.hpp"
#include "driver/live_run.hpp"
#include "driver/live_state.hpp"
#include "movie/live/page.hpp"
#include "movie/live/request_checks.hpp"

namespace nbody {

namespace {

std::atomic<bool> stopAsked = false;
static_assert(std::atomic<bool>::is_always_lock_free);

/// \param how  SIG_BLOCK or SIG_UNBLOCK: a signal that comes while the program changes waits for the
///             next one
void holdSignals(int how) {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGINT, SIGTERM}) sigaddset(&signals, signal);
  pthread_sigmask(how, &signals, nullptr);
}

/// The first signal ends the run after its step, a second one the program at once.
void endOnSignals() {
  struct sigaction action = {};
  action.sa_handler = [](int) { stopAsked = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  for (int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  holdSignals(SIG_UNBLOCK);
}

void printLinks(const Listener& listener, const LiveTokens& tokens) {
  char machine[256] = "host";
  gethostname(machine, sizeof machine - 1);
  const char* user = std::getenv("USER");
  const std::string host = hostOf(listener.address());
  const int port = listener.port();
  const std::string page = formatted("http://%s:%d/?token=", host.c_str(), port);
  std::printf("%-18s %s%s\n", "control", page.c_str(), tokens.control.c_str());
  std::printf("%-18s %s%s\n", "watch", page.c_str(), tokens.watch.c_str());
  std::printf("%-18s ssh -L %d:%s:%d %s@%s\n",
              "from elsewhere",
              port,
              host.c_str(),
              port,
              user ? user : "user",
              machine);
  std::printf("%-18s Ctrl-C\n", "stop");
  std::fflush(stdout);
}

LiveSettings givenSettings(const RunOptions& options, const Program& program) {
  LiveSettings settings = {.scene = options.scene,
                           .bodies = options.bodies,
                           .seed = options.seed,
                           .timeStep = options.timeStep,
                           .softening = options.softening,
                           .stepOptions = {}};
  const auto defaults = program.options();
  const std::vector<Option> given = options.stepOptions->list(), plain = defaults->list();
  for (std::size_t k = 0; k < given.size(); ++k)
    if (textOf(given[k]) != textOf(plain[k]))
      settings.stepOptions[given[k].name] = textOf(given[k]);
  return settings;
}

/// The device of \p program; \p gpu has its ceiling where it was measured before.
Device deviceOf(const Program& program, Device& gpu) {
  Device device = program.device(false);
  if (device.kind != "gpu") return device;
  if (device.name == gpu.name) device.fma = gpu.fma;
  else device = program.device(true);
  gpu = device;
  return device;
}

/// Serves \p state, without bodies that of a scene at its start, until the end, or until another
/// program goes on.
/// \param started  out: true as soon as the run is served; its bodies are then gone from \p state
int serveState(const Program& program, const Listener& listener, LiveState& state, bool& started) {
  const bool fresh = state.bodies.count() == 0;
  const Device device = deviceOf(program, state.gpu);
  std::map<int, std::string> paths = programsBeside(ownPath(), program.doublePrecision);
  LiveRun::Start start = {.playing = state.playing,
                          .ladder = state.ladder,
                          .refused = state.refused,
                          .watchToken = state.tokens.watch};
  for (const auto& [key, path] : paths) start.programs[key] = programName(path);
  std::optional<LiveModel> model;
  if (fresh) {
    model.emplace(program, state.settings, state.graph);
  } else {
    checkLimits(state.settings, liveLimits(program, device));
    model.emplace(program, state.settings, state.graph, state.bodies, state.moment);
    start.conserved = state.conserved;
  }
  LiveRun run(program, device, *model, std::move(start));
  const std::string page = livePage();
  auto server = std::make_unique<LiveServer>(listener, state.tokens, page);
  if (fresh) printLinks(listener, state.tokens);
  started = true;
  state.bodies = {};
  while (const auto key = run.serve(*server, [] { return stopAsked.load(); })) {
    const std::string to = paths.at(*key);
    if (access(to.c_str(), X_OK) != 0) {
      run.tellLater("climb: " + programName(to) + " is not there any more");
      continue;
    }
    server->endForRestart(Json{{"type", "climbing"}, {"to", programName(to)}}.dump());
    server.reset();
    const LiveState left = {model->settings(), model->moment(), model->simulation().download(),
                            run.conservedAtStart(), run.playing(), state.graph, state.tokens,
                            run.ladder(), state.gpu, ownPath(), ""};
    const int file = sealedFile(left);
    holdSignals(SIG_BLOCK);
    if (stopAsked) return 0;
    run.tellLater(becomeProgram(to, listener, file));
    holdSignals(SIG_UNBLOCK);
    close(file);
    server = std::make_unique<LiveServer>(listener, state.tokens, page);
  }
  return 0;
}

int resumeLive(const Program& program, const std::string& resume) {
  const LiveDescriptors descriptors = descriptorsOf(resume);
  const Listener listener(descriptors.listener);
  LiveState state = readSealedFile(descriptors.state);
  bool started = false;
  try {
    return serveState(program, listener, state, started);
  } catch (const std::exception& error) {
    if (started || !state.refused.empty()) throw;  // where it came from could do no better
    const std::string why = error.what();
    state.refused = "climb: " + program.name + ": " + why;
    const int file = sealedFile(state);
    holdSignals(SIG_BLOCK);
    becomeProgram(state.program, listener, file);
    throw;
  }
}

}  // namespace

int runLive(const Program& program, const RunOptions& options) {
  endOnSignals();
  if (program.ranks > 1)
    throw BadInput(formatted("--live: one rank is watched, not %d", program.ranks));
  if (!options.live->resume.empty()) return resumeLive(program, options.live->resume);
  const Listener listener(options.live->address, options.live->port);
  LiveState state = {.settings = givenSettings(options, program),
                     .moment = {},
                     .bodies = {},
                     .conserved = {},
                     .playing = true,
                     .graph = options.graph,
                     .tokens = {makeToken(), makeToken()},
                     .ladder = Json::array(),
                     .gpu = {},
                     .program = "",
                     .refused = ""};
  bool started = false;
  return serveState(program, listener, state, started);
}

}  // namespace nbody
