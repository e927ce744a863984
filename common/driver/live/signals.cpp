#include "driver/live/signals.hpp"

#include <atomic>
#include <csignal>

namespace nbody {

namespace {

std::atomic<bool> asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

void endOnSignals() {
  struct sigaction action = {};
  action.sa_handler = [](int) { asked = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  for (int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

bool endAsked() { return asked; }

}  // namespace nbody
