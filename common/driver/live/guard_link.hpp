/// \file
/// What a live run's guard and its program tell each other.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace nbody {

/// A descriptor, closed with its last owner.
class SharedDescriptor {
 public:
  SharedDescriptor() = default;
  explicit SharedDescriptor(int descriptor);

  int get() const { return owned_ ? *owned_ : -1; }
  int copy() const;  ///< for another owner
  explicit operator bool() const { return owned_ != nullptr; }

 private:
  std::shared_ptr<const int> owned_;
};

struct LiveWord {
  std::string text;  ///< to the guard: the program to climb to, or why this one ends;
      ///< from it: why the run comes back, "what: why", or empty
  SharedDescriptor listener = {}, state = {};  ///< both, or none

  /// Whether another program is to go on with the run.
  bool goesOn() const { return listener && state; }
};

/// One end of the socket between them.
class GuardLink {
 public:
  /// Owns \p socket.
  explicit GuardLink(int socket) : socket_(socket) {}

  int socket() const { return socket_.get(); }

  void send(const LiveWord& word) const;

  /// Waits for nothing; nothing: there is no word.
  std::optional<LiveWord> receive() const;

  void askToEnd() const;
  bool endAsked() const;

 private:
  SharedDescriptor socket_;
};

/// The program's end, which `--live-guard` names; throws BadInput where that is none.
GuardLink linkToGuard(const std::string& descriptor);

}  // namespace nbody
