/// \file
/// What a rank is waiting for, told to who watches.
#pragma once

#include <string>

namespace nbody {

/// A call of MPI that returns only when other ranks do something. Told while it lives.
class Waiting {
 public:
  /// \param whom  " to rank 1", or nothing
  Waiting(const char* function, const std::string& whom);
  ~Waiting();
  Waiting(const Waiting&) = delete;
};

}  // namespace nbody
