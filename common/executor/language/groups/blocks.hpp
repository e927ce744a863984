/// \file
/// cooperative_groups: a group of any kind, the block, the grid.
#pragma once

#include "executor/language/warp_functions.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {

// A group of lanes of one warp: the common part of tiles up to a warp and coalesced groups.

/// Returns the lane of the \p rank-th member of \p lanes.
inline unsigned nthLane(unsigned lanes, unsigned rank) {
  for (; rank > 0; --rank) lanes &= lanes - 1;
  return static_cast<unsigned>(__builtin_ctz(lanes));
}

/// Returns the bits of \p word at \p lanes, packed: bit r belongs to the member of rank r.
inline unsigned packed(unsigned word, unsigned lanes) {
  unsigned result = 0;
  for (unsigned rank = 0; lanes != 0; lanes &= lanes - 1, ++rank)
    result |= (word >> __builtin_ctz(lanes) & 1) << rank;
  return result;
}

/// Lanes of the caller's warp, which is one of them. Ranks follow the lanes.
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
  /// Returns the index of this group among its parent's parts.
  unsigned meta_group_rank() const { return metaRank_; }
  unsigned meta_group_size() const { return metaSize_; }

  void sync(NBODY_SITE) const {
    waitForWarp({"sync() of a group", file, line}, WarpOperation::sync, lanes_, 0, 0);
  }

  // Shuffles by rank. A rank beyond either end gives the caller's own value.
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

  // Votes and matches. Bit r of a result belongs to the member of rank r.
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

namespace cooperative_groups {

class thread_group;
thread_group tiled_partition(const thread_group& parent, unsigned size);

/// Any of the groups below, as a parameter.
class thread_group {
 public:
  /// Result of barrier_arrive(). Threads wait for each other in barrier_wait(), as in NVIDIA's blocks.
  struct arrival_token {};

  thread_group() = default;
  thread_group(const nbody::executor::LaneGroup& group) : kind_(Kind::lanes), lanes_(group) {}

  unsigned long long size() const {
    using namespace nbody::executor;
    if (kind_ == Kind::lanes) return lanes_.size();
    const unsigned long long block = threadsInBlock();
    return kind_ == Kind::block ? block : block * gridDim.x * gridDim.y * gridDim.z;
  }
  unsigned long long num_threads() const { return size(); }
  unsigned long long thread_rank() const {
    using namespace nbody::executor;
    if (kind_ == Kind::lanes) return lanes_.thread_rank();
    if (kind_ == Kind::block) return rankInBlock();
    return threadsInBlock() * blockRank() + rankInBlock();
  }
  void sync(NBODY_SITE) const {
    if (kind_ == Kind::lanes) lanes_.sync(file, line);
    else if (kind_ == Kind::block)
      nbody::executor::waitForBlock({"sync() of the block", file, line});
    else nbody::executor::waitForGrid({"sync() of the grid", file, line});
  }

 protected:
  enum class Kind { block, grid, lanes };
  explicit thread_group(Kind kind) : kind_(kind) {}
  static unsigned long long blockRank() {
    return blockIdx.x + static_cast<unsigned long long>(gridDim.x) *
                            (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
  }
  friend thread_group tiled_partition(const thread_group& parent, unsigned size);

  Kind kind_ = Kind::block;
  nbody::executor::LaneGroup lanes_;
};

/// The block of the calling thread.
class thread_block : public thread_group {
 public:
  thread_block() : thread_group(Kind::block) {}
  static unsigned size() { return nbody::executor::threadsInBlock(); }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() { return nbody::executor::rankInBlock(); }
  static void sync(NBODY_SITE) {
    nbody::executor::waitForBlock({"sync() of the block", file, line});
  }
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token&&, NBODY_SITE) {
    nbody::executor::waitForBlock({"barrier_wait() of the block", file, line});
  }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }

  nbody::executor::Members members() const { return {0, 0, size()}; }
};

/// All threads of a cooperative launch.
class grid_group : public thread_group {
 public:
  grid_group() : thread_group(Kind::grid) {}
  static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static unsigned long long block_rank() { return blockRank(); }
  static dim3 block_index() { return blockIdx; }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token&&, NBODY_SITE) {
    nbody::executor::waitForGrid({"barrier_wait() of the grid", file, line});
  }
};

/// Memory that groups of several warps need on a GPU; here they need none.
template <unsigned Threads>
struct block_tile_memory {
  char unused[1];
};

inline thread_block this_thread_block() { return {}; }
template <unsigned Threads>
thread_block this_thread_block(block_tile_memory<Threads>&) {
  return {};
}
inline grid_group this_grid() { return {}; }

template <class Group>
void sync(const Group& group, NBODY_SITE) {
  group.sync(file, line);
}
template <class Group>
auto thread_rank(const Group& group) {
  return group.thread_rank();
}

}  // namespace cooperative_groups
