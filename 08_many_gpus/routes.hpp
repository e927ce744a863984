/// \file
/// Messages that each exchange should send. Correct forces do not prove that they were sent.
#pragma once

#include <map>
#include <stdexcept>
#include <string>

#include "08_many_gpus/options.hpp"

namespace nbody::inline NBODY_PRECISION::many_gpus {

/// Numbers of messages, by receiving rank.
using MessageCounts = std::map<int, int>;

/// Returns how many messages \p rank sends to each other rank in one evaluation.
inline MessageCounts messagesBy(Exchange exchange, int rank, int ranks) {
  MessageCounts counts;
  const auto to = [&](int steps) -> int& {
    return counts[((rank + steps) % ranks + ranks) % ranks];
  };
  const int halfWay = ranks / 2;
  if (exchange == Exchange::gather) {
    for (int other = 1; other < ranks; ++other) to(other) = 1;
  } else if (exchange == Exchange::ring) {
    to(1) = ranks - 1;
  } else {
    to(1) = halfWay;
    for (int back = 1; back <= halfWay; ++back) ++to(-back);  // reactions go straight home
  }
  counts.erase(rank);
  return counts;
}

/// Returns the counts in words: "2 messages to rank 1, 1 message to rank 2".
inline std::string inWords(const MessageCounts& counts) {
  std::string words;
  for (const auto& [rank, count] : counts)
    words += (words.empty() ? "" : ", ") + std::to_string(count) +
             (count == 1 ? " message to rank " : " messages to rank ") + std::to_string(rank);
  return words.empty() ? "no message" : words;
}

inline void checkRoute(Exchange exchange, int rank, int ranks, const MessageCounts& sent) {
  const MessageCounts expected = messagesBy(exchange, rank, ranks);
  if (sent != expected)
    throw std::runtime_error("the forces are correct, but rank " + std::to_string(rank) + " of " +
                             std::to_string(ranks) +
                             " sends the wrong messages for this exchange. Expected: " +
                             inWords(expected) + ". Sent: " + inWords(sent));
}

}  // namespace nbody::inline NBODY_PRECISION::many_gpus
