#include "driver/live/guard.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "base/text.hpp"
#include "driver/failures.hpp"
#include "driver/live/guard_link.hpp"
#include "driver/live/programs.hpp"
#include "driver/live/signals.hpp"

namespace nbody {

namespace {

using Arguments = std::vector<std::string>;

struct Child {
  pid_t process;
  GuardLink link;
};

/// How a child ended.
struct End {
  int status;  ///< as of waitpid
  std::optional<LiveWord> word;  ///< its last

  bool ended() const { return WIFEXITED(status); }
};

bool asksForLive(const Arguments& arguments) {
  bool live = false;
  for (const std::string& argument : arguments) {
    if (argument == "--live-guard") return false;
    live |= argument == "--live" || argument.starts_with("--live=");
  }
  return live;
}

/// The child's part of start().
[[noreturn]] void become(const std::string& path, const Arguments& arguments, GuardLink link) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  fcntl(link.socket(), F_SETFD, 0);
  const std::string socket = std::to_string(link.socket());
  std::vector<const char*> words = {path.c_str(), "--live-guard", socket.c_str()};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  words.push_back(nullptr);
  execv(path.c_str(), const_cast<char**>(words.data()));
  link.send({"cannot be started: " + std::string(std::strerror(errno))});
  _exit(127);
}

/// Starts the program of \p path, as itself with \p arguments or to go on from \p word.
Child start(const std::string& path, const Arguments& arguments, const LiveWord& word) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::runtime_error("--live: no socket to speak with the program");
  GuardLink link(ends[0]), ofChild(ends[1]);
  if (word.goesOn()) link.send(word);
  const pid_t process = fork();
  if (process < 0) throw std::runtime_error("--live: no process for the program");
  if (process == 0) become(path, arguments, std::move(ofChild));
  return {process, std::move(link)};
}

End awaited(const Child& child) {
  constexpr int kLookMs = 100;
  End end = {};
  bool ends = false;
  pid_t ended;
  while ((ended = waitpid(ends ? child.process : -1, &end.status, ends ? 0 : WNOHANG)) !=
         child.process) {
    if (ended > 0) continue;  // Open MPI's daemon of a program before, say
    if (endAsked()) child.link.askToEnd();
    pollfd link = {child.link.socket(), POLLIN, 0};
    ends = poll(&link, 1, kLookMs) > 0;  // its last word, or nobody to say one
  }
  end.word = child.link.receive();
  return end;
}

std::string whyOf(const End& end) {
  if (end.word) return end.word->text;
  if (end.ended()) return formatted("ended with status %d", WEXITSTATUS(end.status));
  const int signal = WTERMSIG(end.status);
  return formatted("ended by signal %d, %s", signal, strsignal(signal));
}

/// The exit status of the run after its last program.
int lastStatus(const std::string& path, const End& end) {
  if (end.ended()) return WEXITSTATUS(end.status);
  const int signal = WTERMSIG(end.status);
  if (endAsked() && (signal == SIGINT || signal == SIGTERM)) return 0;  // before it could hear it
  return reportFailure(programName(path), whyOf(end), 1);
}

int guard(std::string path, Arguments arguments) {
  std::string before;  // path of the program to go back to; empty: there is none
  LiveWord word;
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // what a program leaves behind is reaped here
  while (true) {
    End end = awaited(start(path, arguments, word));
    const bool climbs = end.word && end.word->goesOn();
    if (endAsked() || (!climbs && before.empty())) return lastStatus(path, end);
    arguments = {};
    if (climbs) {
      word = std::move(*end.word);
      before = std::exchange(path, std::exchange(word.text, ""));
    } else {
      word.text = "climb: " + programName(path) + ": " + whyOf(end);
      path = std::exchange(before, "");  // it has this one chance
    }
  }
}

}  // namespace

std::optional<int> guardLive(int argc, char** argv) {
  const Arguments arguments(argv + 1, argv + argc);
  if (!asksForLive(arguments)) return std::nullopt;
  endOnSignals();
  const std::string path = ownPath();
  return reportingFailures(programName(path), [&] { return guard(path, arguments); });
}

}  // namespace nbody
