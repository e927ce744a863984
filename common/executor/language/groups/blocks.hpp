/// \file
/// cooperative_groups: any group whose kind is known at run time, the block, the grid.
#pragma once

#include "executor/language/groups/lanes.hpp"

namespace cooperative_groups {

class thread_group;
thread_group tiled_partition(const thread_group& parent, unsigned size);

/// Any of the groups below, as a parameter.
class thread_group {
 public:
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
  bool is_valid() const { return true; }

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
  struct arrival_token {};

  thread_block() : thread_group(Kind::block) {}
  static unsigned size() { return nbody::executor::threadsInBlock(); }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() { return nbody::executor::rankInBlock(); }
  static void sync(NBODY_SITE) {
    nbody::executor::waitForBlock({"sync() of the block", file, line});
  }
  /// Waiting is all in barrier_wait(): nobody passes it before all have come there.
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token&&, NBODY_SITE) { sync(file, line); }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }

  nbody::executor::Members members() const { return {0, 0, size()}; }
};

/// All threads of a cooperative launch.
class grid_group : public thread_group {
 public:
  struct arrival_token {};

  grid_group() : thread_group(Kind::grid) {}
  arrival_token barrier_arrive() const { return {}; }
  void barrier_wait(arrival_token&&, NBODY_SITE) const { sync(file, line); }
  static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static unsigned long long block_rank() { return blockRank(); }
  static dim3 block_index() { return blockIdx; }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 group_dim() { return gridDim; }
};

/// On a GPU, memory that groups of several warps need; here they need none.
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
template <class Group>
auto group_size(const Group& group) {
  return group.num_threads();
}

/// Calls \p function in one thread of \p group.
template <class Group, class Function, class... Arguments>
void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}
/// The same; every thread gets the result.
template <class Group, class Function, class... Arguments>
auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments) {
  decltype(function(static_cast<Arguments&&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
