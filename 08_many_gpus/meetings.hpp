/// \file
/// Meetings of the ranks' bodies: each pair of ranks meets once, on one of the two.
#pragma once

#include "08_many_gpus/shares.hpp"
#include "cuda/real.hpp"

namespace nbody::inline NBODY_PRECISION::many_gpus {

/// Bodies `begin` to `end` - 1 of a rank.
struct ShareRange {
  int begin;
  int end;
  int count() const { return end - begin; }
};

/// Meetings of one rank. It meets the bodies of the ranks up to half way round behind it, and gets
/// the reactions on its own bodies from the ranks up to half way round ahead of it.
class Meetings {
 public:
  Meetings(int rank, const Shares& shares) : rank_(rank), shares_(shares) {}

  /// Returns the number of turns after the one with the rank's own pairs.
  int farthest() const { return shares_.ranks / 2; }

  /// Returns whether \p rank is the lower of two half way round, which divides its bodies.
  bool isHalved(int rank, int other) const {
    return rank < other && 2 * (other - rank) == shares_.ranks;
  }

  /// Returns the bodies of \p rank that meet those of \p other on this rank, which is one of the two:
  /// all of them, or half if isHalved().
  ShareRange rangeOf(int rank, int other) const {
    const int count = shares_.count(rank);
    if (!isHalved(rank, other)) return {0, count};
    // The lower rank takes its own first half, the other one the second.
    return rank == rank_ ? ShareRange{0, count / 2} : ShareRange{count / 2, count};
  }

  /// Returns this rank's bodies whose reactions come from \p other.
  ShareRange reactionsFrom(int other) const {
    const int count = shares_.count(rank_);
    return {isHalved(rank_, other) ? count / 2 : 0, count};
  }

 private:
  int rank_;
  Shares shares_;
};

}  // namespace nbody::inline NBODY_PRECISION::many_gpus
