/// \file
/// The socket on which the live view waits for connections; it outlives a change of the program.
#pragma once

#include <string>

namespace nbody {

/// A socket that listens, closed with its owner.
class Listener {
 public:
  /// Throws BadInput where \p address is none of this machine's, or \p port (0: any free one) is in
  /// use.
  Listener(const std::string& address, int port);

  /// Takes over a socket that listens; throws BadInput where \p descriptor is none.
  explicit Listener(int descriptor);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int copy() const;  ///< of the descriptor, for another owner
  const std::string& address() const { return address_; }
  int port() const { return port_; }

 private:
  void learnAddress();

  int descriptor_ = -1;
  std::string address_;
  int port_ = 0;
};

}  // namespace nbody
