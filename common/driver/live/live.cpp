#include "driver/live/live.hpp"

#include <unistd.h>

#include <cstdlib>

#include "base/bad_input.hpp"
#include "base/text.hpp"
#include "driver/live/guard_link.hpp"
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

/// The device of \p program; \p gpu has its ceiling where it was measured before.
Device deviceOf(const Program& program, Device& gpu) {
  Device device = program.device(false);
  if (device.kind != "gpu") return device;
  if (device.name == gpu.name) device.fma = gpu.fma;
  else device = program.device(true);
  gpu = device;
  return device;
}

/// What \p run and its model have come to.
void keep(const LiveRun& run, const LiveModel& model, LiveState& state) {
  state.settings = model.settings();
  state.moment = model.moment();
  state.bodies = model.simulation().download();
  state.conserved = run.conservedAtStart();
  state.playing = run.playing();
  state.ladder = run.ladder();
}

/// Serves \p run until the end, or until another program is to go on: then the guard has all that
/// it needs.
/// \param fresh  nobody has the links yet
void serve(LiveRun& run,
           const LiveModel& model,
           const Listener& listener,
           LiveState& state,
           const Paths& paths,
           const GuardLink& guard,
           bool fresh) {
  const std::string page = livePage();
  const auto stopped = [&] { return endAsked() || guard.endAsked(); };
  LiveServer server(listener, state.tokens, page);
  if (fresh) printLinks(listener, state.tokens);
  while (const auto key = run.serve(server, stopped)) {
    const std::string& to = paths.at(*key);
    if (access(to.c_str(), X_OK) != 0) {
      run.tellLater("climb: " + programName(to) + " is not there any more");
      continue;
    }
    keep(run, model, state);
    const SharedDescriptor sealed(sealedFile(state));
    server.endForRestart(Json{{"type", "climbing"}, {"to", programName(to)}}.dump());
    return guard.send({to, SharedDescriptor(listener.copy()), sealed});
  }
}

/// Makes the run of \p state, without bodies that of a scene at its start, and serves it.
/// \param refused  why the run comes back to this program, "what: why"; or empty
void serveState(const Program& program,
                const Listener& listener,
                LiveState& state,
                const GuardLink& guard,
                const std::string& refused) {
  const bool fresh = state.bodies.count() == 0;
  const Device device = deviceOf(program, state.gpu);
  const Paths paths = programsBeside(ownPath(), program.doublePrecision);
  LiveRun::Start start = {.playing = state.playing,
                          .ladder = state.ladder,
                          .refused = refused,
                          .watchToken = state.tokens.watch};
  for (const auto& [key, path] : paths) start.programs[key] = programName(path);
  std::optional<LiveModel> model;
  if (fresh) {
    model.emplace(program, state.settings, state.graph);
  } else {
    if (refused.empty()) checkLimits(state.settings, liveLimits(device));
    model.emplace(program, state.settings, state.graph, state.bodies, state.moment);
    start.conserved = state.conserved;
  }
  LiveRun run(program, device, *model, std::move(start));
  state.bodies = {};
  serve(run, *model, listener, state, paths, guard, fresh);
}

void beginLive(const Program& program, const RunOptions& options, const GuardLink& guard) {
  const Listener listener(options.live->address, options.live->port);
  LiveState state = {.settings = givenSettings(options, program),
                     .graph = options.graph,
                     .tokens = {makeToken(), makeToken()}};
  serveState(program, listener, state, guard, "");
}

void resumeLive(const Program& program, LiveWord word, const GuardLink& guard) {
  const Listener listener(word.listener.copy());
  LiveState state = readSealedFile(word.state.copy());
  word.listener = word.state = {};
  serveState(program, listener, state, guard, word.text);
}

}  // namespace

int runLive(const Program& program, const RunOptions& options) {
  endOnSignals();
  if (program.ranks > 1)
    throw BadInput(formatted("--live: one rank is watched, not %d", program.ranks));
  const GuardLink guard = linkToGuard(options.live->guard);
  try {
    if (auto word = guard.receive()) resumeLive(program, std::move(*word), guard);
    else beginLive(program, options, guard);
  } catch (const std::exception& error) {
    guard.send({error.what()});
    throw;
  }
  return 0;
}

}  // namespace nbody
