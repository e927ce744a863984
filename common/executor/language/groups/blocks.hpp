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
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }

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

}  // namespace cooperative_groups
