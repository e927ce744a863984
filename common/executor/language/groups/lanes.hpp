/// \file
/// A group of lanes of one warp: what tiles of at most 32 threads and coalesced groups have in
/// common.
#pragma once

#include "executor/language/groups/meeting.hpp"
#include "executor/language/site.hpp"
#include "executor/language/warp_functions.hpp"

namespace nbody::executor {

/// Lane of the \p rank-th member of \p lanes.
inline unsigned nthLane(unsigned lanes, unsigned rank) {
  for (; rank > 0; --rank) lanes &= lanes - 1;
  return static_cast<unsigned>(__builtin_ctz(lanes));
}

/// The bits of \p word at \p lanes, moved together: bit r is that of the member of rank r.
inline unsigned packed(unsigned word, unsigned lanes) {
  unsigned result = 0;
  for (unsigned rank = 0; lanes != 0; lanes &= lanes - 1, ++rank)
    result |= (word >> __builtin_ctz(lanes) & 1) << rank;
  return result;
}

/// Lanes of the caller's warp, which is one of them; ranks follow the lanes.
class LaneGroup {
 public:
  LaneGroup() = default;
  LaneGroup(unsigned lanes, unsigned metaRank, unsigned metaSize)
      : lanes_(lanes), metaRank_(metaRank), metaSize_(metaSize) {}

  unsigned size() const { return static_cast<unsigned>(__builtin_popcount(lanes_)); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const {
    return static_cast<unsigned>(__builtin_popcount(lanes_ & ((1u << laneOfCaller()) - 1)));
  }
  /// Index of this group among its parent's parts, and the number of parts.
  unsigned meta_group_rank() const { return metaRank_; }
  unsigned meta_group_size() const { return metaSize_; }

  void sync(NBODY_SITE) const {
    waitForWarp({"sync() of a group", file, line}, WarpOperation::sync, lanes_, 0, 0);
  }

  // Shuffles by rank; a rank beyond either end gives the caller's own value.
  template <class T>
  NBODY_ALWAYS_INLINE T shfl(T value, int rank, NBODY_SITE) const {
    const unsigned source = nthLane(lanes_, static_cast<unsigned>(rank) % size());
    return shuffle({"shfl() of a group", file, line}, lanes_, value, static_cast<int>(source));
  }
  template <class T>
  NBODY_ALWAYS_INLINE T shfl_down(T value, unsigned delta, NBODY_SITE) const {
    return shuffled(value, thread_rank() + delta, {"shfl_down() of a group", file, line});
  }
  template <class T>
  NBODY_ALWAYS_INLINE T shfl_up(T value, unsigned delta, NBODY_SITE) const {
    return shuffled(value, thread_rank() - delta, {"shfl_up() of a group", file, line});
  }
  template <class T>
  NBODY_ALWAYS_INLINE T shfl_xor(T value, unsigned mask, NBODY_SITE) const {
    return shuffled(value, thread_rank() ^ mask, {"shfl_xor() of a group", file, line});
  }

  // Votes and matches; bit r of a result is the member of rank r.
  int any(int predicate, NBODY_SITE) const {
    return executor::ballot({"any() of a group", file, line}, lanes_, predicate != 0) != 0;
  }
  int all(int predicate, NBODY_SITE) const {
    return executor::ballot({"all() of a group", file, line}, lanes_, predicate == 0) == 0;
  }
  unsigned ballot(int predicate, NBODY_SITE) const {
    const Site site = {"ballot() of a group", file, line};
    return packed(executor::ballot(site, lanes_, predicate != 0), lanes_);
  }
  template <class T>
  unsigned match_any(T value, NBODY_SITE) const {
    return packed(__match_any_sync(lanes_, value, file, line), lanes_);
  }
  template <class T>
  unsigned match_all(T value, int& all, NBODY_SITE) const {
    return packed(__match_all_sync(lanes_, value, &all, file, line), lanes_);
  }

  unsigned lanes() const { return lanes_; }
  Members members() const { return {lanes_, 0, size()}; }

 private:
  template <class T>
  NBODY_ALWAYS_INLINE T shuffled(T value, unsigned rank, Site site) const {
    const unsigned source = rank < size() ? nthLane(lanes_, rank) : laneOfCaller();
    return shuffle(site, lanes_, value, static_cast<int>(source));
  }

  unsigned lanes_ = 0;
  unsigned metaRank_ = 0, metaSize_ = 1;
};

}  // namespace nbody::executor
