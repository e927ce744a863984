/// \file
/// Messages of values that are not bodies, sent as words of the size of a body (16 or 32 bytes).
#pragma once

#include "08_many_gpus/shares.hpp"
#include "ranks/transport.hpp"

namespace nbody::inline NBODY_PRECISION::distributed_tree {

/// Returns the number of words of \p count values.
template <class T>
constexpr int wordsOf(int count) {
  return static_cast<int>(count * sizeof(T) / sizeof(real4));
}

/// Adds a message of \p count values to \p rank, if any. Each value is a whole number of words.
template <class T>
void send(std::vector<Outgoing>& to, const T* data, int count, int rank) {
  static_assert(sizeof(T) % sizeof(real4) == 0);
  if (count > 0) to.push_back({reinterpret_cast<const real4*>(data), wordsOf<T>(count), rank});
}
template <class T>
void receive(std::vector<Incoming>& from, T* data, int count, int rank) {
  static_assert(sizeof(T) % sizeof(real4) == 0);
  if (count > 0) from.push_back({reinterpret_cast<real4*>(data), wordsOf<T>(count), rank});
}

/// Gathers \p each values of every rank in \p all on each rank, in order with the work on \p link.
/// \tparam kUnit  values that are a whole number of words; \p each is a multiple of it
template <int kUnit = 1, class T>
void gatherAll(Transport& transport, const T* own, T* all, int each, int ranks, cudaStream_t link) {
  static_assert(kUnit * sizeof(T) % sizeof(real4) == 0);
  const int words = wordsOf<T>(each);
  transport.gather(reinterpret_cast<const real4*>(own),
                   reinterpret_cast<real4*>(all),
                   Shares{ranks * words, ranks, words},
                   link);
}

}  // namespace nbody::inline NBODY_PRECISION::distributed_tree
