#include "driver/live.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>

#include "base/bad_input.hpp"
#include "base/text.hpp"
#include "driver/live_run.hpp"
#include "movie/live/page.hpp"
#include "movie/live/request_checks.hpp"

namespace nbody {

namespace {

std::atomic<bool> stopAsked = false;
static_assert(std::atomic<bool>::is_always_lock_free);

/// The first signal ends the run after its step, a second one the program at once.
void endOnSignals() {
  struct sigaction action = {};
  action.sa_handler = [](int) { stopAsked = true; };
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  for (int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

void printLinks(const Listener& listener, const LiveTokens& tokens) {
  char host[256] = "host";
  gethostname(host, sizeof host - 1);
  const char* user = std::getenv("USER");
  const std::string site =
      formatted("http://%s:%d/?token=", hostOf(listener.address()).c_str(), listener.port());
  std::printf("%-18s %s%s\n", "control", site.c_str(), tokens.control.c_str());
  std::printf("%-18s %s%s\n", "watch", site.c_str(), tokens.watch.c_str());
  std::printf("%-18s ssh -L %d:%s:%d %s@%s\n",
              "from elsewhere",
              listener.port(),
              hostOf(listener.address()).c_str(),
              listener.port(),
              user ? user : "user",
              host);
  std::printf("%-18s Ctrl-C\n", "stop");
  std::fflush(stdout);
}

LiveSettings settingsOf(const RunOptions& options, const Program& program) {
  LiveSettings settings = {.scene = options.scene,
                           .bodies = options.bodies,
                           .seed = options.seed,
                           .timeStep = options.timeStep,
                           .softening = options.softening,
                           .stepOptions = {}};
  const auto defaults = program.options();
  const std::vector<Option> given = options.stepOptions->list(), plain = defaults->list();
  for (std::size_t k = 0; k < given.size(); ++k)
    if (textOf(given[k]) != textOf(plain[k])) settings.stepOptions[given[k].name] = textOf(given[k]);
  return settings;
}

}  // namespace

int runLive(const Program& program, const RunOptions& options) {
  const Listener listener(options.live->address, options.live->port);
  const std::string page = livePage();
  const LiveTokens tokens = {makeToken(), makeToken()};
  const Device device = program.device(true);
  LiveModel model(program, settingsOf(options, program), options.graph);
  LiveRun run(program, device, model, {.watchToken = tokens.watch});
  endOnSignals();
  LiveServer server(listener, tokens, page);
  printLinks(listener, tokens);
  run.serve(server, [] { return stopAsked.load(); });
  return 0;
}

}  // namespace nbody
