/// \file
/// What a client of the live view may ask of it.
#pragma once

#include <chrono>
#include <cstddef>

namespace nbody {

inline constexpr std::size_t kMostHeaderBytes = 8192;  ///< of a request
inline constexpr std::size_t kMostMessageBytes = 4096;  ///< of a viewer
inline constexpr int kMostConnections = 32;
inline constexpr std::size_t kMostWaitingRequests = 256;
inline constexpr int kMostMessagesPerSecond = 60;  ///< of a viewer, its pings among them
inline constexpr std::chrono::seconds kRequestTime{10};  ///< to send a request, or take its answer
inline constexpr std::chrono::seconds kSilenceTime{30};  ///< a viewer that answers no ping is gone

/// How many messages came in the second that runs.
class MessageRate {
 public:
  using Clock = std::chrono::steady_clock;

  /// Counts one. False: it is one too many.
  bool allows(Clock::time_point now) {
    if (now - start_ >= std::chrono::seconds(1)) {
      start_ = now;
      count_ = 0;
    }
    return ++count_ <= kMostMessagesPerSecond;
  }

 private:
  Clock::time_point start_ = {};
  int count_ = 0;
};

}  // namespace nbody
