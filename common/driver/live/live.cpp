#include "driver/live/live.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "base/bad_input.hpp"
#include "base/text.hpp"
#include "driver/live/programs.hpp"
#include "driver/live/run.hpp"
#include "driver/live/signals.hpp"
#include "driver/live/state.hpp"
#include "movie/live/page.hpp"
#include "movie/live/request_checks.hpp"

namespace nbody {

namespace {

using Paths = std::map<int, std::string>;  ///< of programs, by key

void printLinks(const Listener& listener, const LiveTokens& tokens) {
  const char* user = std::getenv("USER");
  const std::string host = hostOf(listener.address());
  const int port = listener.port();
  const std::string page = formatted("http://%s:%d/?token=", host.c_str(), port);
  std::printf("%-18s %s%s\n", "control", page.c_str(), tokens.control.c_str());
  std::printf("%-18s %s%s\n", "watch", page.c_str(), tokens.watch.c_str());
  std::printf("%-18s ssh -L %d:%s:%d %s@%s\n",
              "from elsewhere",
              port,
              isAll(listener.address()) ? "127.0.0.1" : host.c_str(),
              port,
              user ? user : "user",
              machineName().c_str());
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

/// Leaves the run to the program of \p path. Comes back only where that cannot be, and says why.
std::string handOver(const std::string& path, const Listener& listener, const LiveState& state) {
  const int file = sealedFile(state);
  holdSignals(SIG_BLOCK);
  const std::string why = endAsked() ? "" : becomeProgram(path, listener, file);
  holdSignals(SIG_UNBLOCK);
  close(file);
  return why;
}

/// Serves \p run until the end, or until another program goes on.
/// \param fresh  nobody has the links yet
int serve(LiveRun& run,
          const LiveModel& model,
          const Listener& listener,
          LiveState& state,
          const Paths& paths,
          bool fresh) {
  const std::string page = livePage();
  auto server = std::make_unique<LiveServer>(listener, state.tokens, page);
  if (fresh) printLinks(listener, state.tokens);
  const auto stopped = [] {
    reapChildren();
    return endAsked();
  };
  while (const auto key = run.serve(*server, stopped)) {
    const std::string& to = paths.at(*key);
    if (access(to.c_str(), X_OK) != 0) {
      run.tellLater("climb: " + programName(to) + " is not there any more");
      continue;
    }
    server->endForRestart(Json{{"type", "climbing"}, {"to", programName(to)}}.dump());
    server.reset();
    state.settings = model.settings();
    state.moment = model.moment();
    state.bodies = model.simulation().download();
    state.conserved = run.conservedAtStart();
    state.playing = run.playing();
    state.ladder = run.ladder();
    state.program = ownPath();
    state.refused = "";
    run.tellLater(handOver(to, listener, state));
    server = std::make_unique<LiveServer>(listener, state.tokens, page);
  }
  return 0;
}

/// Makes the run of \p state, without bodies that of a scene at its start, and serves it.
/// \param started  out: true as soon as it is served
int serveState(const Program& program, const Listener& listener, LiveState& state, bool& started) {
  const bool fresh = state.bodies.count() == 0;
  const Device device = deviceOf(program, state.gpu);
  const Paths paths = programsBeside(ownPath(), program.doublePrecision);
  LiveRun::Start start = {.playing = state.playing,
                          .ladder = state.ladder,
                          .refused = state.refused,
                          .watchToken = state.tokens.watch};
  for (const auto& [key, path] : paths) start.programs[key] = programName(path);
  std::optional<LiveModel> model;
  if (fresh) {
    model.emplace(program, state.settings, state.graph);
  } else {
    if (state.refused.empty()) checkLimits(state.settings, liveLimits(device));
    model.emplace(program, state.settings, state.graph, state.bodies, state.moment);
    start.conserved = state.conserved;
  }
  LiveRun run(program, device, *model, std::move(start));
  started = true;
  state.bodies = {};
  return serve(run, *model, listener, state, paths, fresh);
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
    handOver(state.program, listener, state);
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
