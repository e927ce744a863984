/// \file
/// cooperative_groups: groups that form while the kernel runs: lanes that are together, parts of a
/// size known at run time, and parts by a value.
#pragma once

#include "executor/language/groups/blocks.hpp"

namespace nbody::executor {

// cooperative_groups: tiles of a size known at compile time, of one warp or several.

/// Returns the lanes of the caller's part of \p parent, if each part has \p size members.
inline LaneGroup partOf(const LaneGroup& parent, unsigned size) {
  const unsigned rank = parent.thread_rank();
  unsigned lanes = 0, place = 0;
  for (unsigned rest = parent.lanes(); rest != 0; rest &= rest - 1, ++place)
    if (place / size == rank / size) lanes |= rest & -rest;
  return {lanes, rank / size, (parent.size() + size - 1) / size};
}

/// Returns the lanes of the caller's warp that its block has.
inline unsigned lanesOfWarp() {
  const unsigned left = threadsInBlock() - (rankInBlock() & ~31u);
  return left < 32 ? (1u << left) - 1 : ~0u;
}

/// Returns the caller's part of the block, \p size threads each, at most a warp.
inline LaneGroup partOfBlock(unsigned size) {
  const unsigned first = laneOfCaller() & ~(size - 1);
  const unsigned lanes = (size == 32 ? ~0u : ((1u << size) - 1) << first) & lanesOfWarp();
  return {lanes, rankInBlock() / size, (threadsInBlock() + size - 1) / size};
}

/// A tile of at most a warp.
template <unsigned Size>
class WarpTile : public LaneGroup {
 public:
  WarpTile() : LaneGroup(partOfBlock(Size)) {}
  explicit WarpTile(const LaneGroup& lanes) : LaneGroup(lanes) {}
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return laneOfCaller() & (Size - 1); }

  /// Returns the value of the member of rank \p rank modulo the size, like __shfl_sync().
  template <class T>
  NBODY_ALWAYS_INLINE T shfl(T value, int rank, NBODY_SITE) const {
    const unsigned source =
        (laneOfCaller() & ~(Size - 1)) + (static_cast<unsigned>(rank) & (Size - 1));
    return shuffle({"shfl() of a tile", file, line}, lanes(), value, static_cast<int>(source));
  }
};

/// A tile of several warps of the block.
template <unsigned Size>
class BlockTile {
 public:
  BlockTile() : BlockTile(rankInBlock(), threadsInBlock()) {}
  /// Makes a tile of a parent of \p parentSize threads, in which the caller has rank \p parentRank.
  BlockTile(unsigned parentRank, unsigned parentSize)
      : metaRank_(parentRank / Size), metaSize_((parentSize + Size - 1) / Size) {}

  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return rankInBlock() % Size; }
  unsigned meta_group_rank() const { return metaRank_; }
  unsigned meta_group_size() const { return metaSize_; }

  Members members() const {
    const unsigned first = rankInBlock() / Size * Size, left = threadsInBlock() - first;
    return {0, first, left < Size ? left : Size};
  }
  void sync(NBODY_SITE) const {
    meet({"sync() of a tile", file, line}, members(), 0, [](int* const*, int) {});
  }
  template <class T>
  NBODY_ALWAYS_INLINE T shfl(T value, unsigned rank, NBODY_SITE) const {
    // All threads must name the same rank.
    const unsigned source = rank % Size;
    return meet({"shfl() of a tile", file, line}, members(), value, [source](T* const* v, int n) {
      const T chosen = *v[source];
      for (int i = 0; i < n; ++i) *v[i] = chosen;
    });
  }
  int any(int predicate, NBODY_SITE) const {
    return count(predicate != 0, {"any() of a tile", file, line}) > 0;
  }
  int all(int predicate, NBODY_SITE) const {
    return count(predicate == 0, {"all() of a tile", file, line}) == 0;
  }

 private:
  int count(int predicate, Site site) const {
    return reduceMembers(site, members(), predicate, [](int a, int b) { return a + b; });
  }

  unsigned metaRank_, metaSize_;
};

template <unsigned Size>
using Tile = std::conditional_t<(Size > 32), BlockTile<Size>, WarpTile<(Size > 32 ? 32 : Size)>>;

}  // namespace nbody::executor

namespace cooperative_groups {

/// \p Size consecutive threads of a block, or of a tile (\p Parent).
template <unsigned Size, class Parent = void>
class thread_block_tile : public nbody::executor::Tile<Size> {
  static_assert(Size > 0 && (Size & (Size - 1)) == 0 && Size <= 1024,
                "a tile has a power of two threads, at most 1024");

 public:
  using nbody::executor::Tile<Size>::Tile;
  thread_block_tile() = default;
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other>& other)
      : nbody::executor::Tile<Size>(other) {}
};

/// Returns the tile of \p Size threads of \p parent that contains the calling thread.
template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
  using Result = thread_block_tile<Size, Parent>;
  if constexpr (std::is_same_v<Parent, thread_block>) {
    return Result();
  } else {
    static_assert(Size <= Parent::size(), "a tile is no larger than its parent");
    if constexpr (Size > 32) {
      return Result(parent.thread_rank(), Parent::size());
    } else if constexpr (Parent::size() > 32) {
      const unsigned lanes = nbody::executor::partOfBlock(Size).lanes();
      return Result({lanes, parent.thread_rank() / Size, Parent::size() / Size});
    } else {
      return Result(nbody::executor::partOf(parent, Size));
    }
  }
}

/// Returns a tile with only the calling thread.
inline thread_block_tile<1> this_thread() { return {}; }

/// Any lanes of a warp.
class coalesced_group : public nbody::executor::LaneGroup {
 public:
  using LaneGroup::LaneGroup;
  coalesced_group() = default;
  explicit coalesced_group(const LaneGroup& lanes) : LaneGroup(lanes) {}
};

/// Returns the lanes that have reached this line together.
inline coalesced_group coalesced_threads(NBODY_SITE) {
  return {nbody::executor::converge({"coalesced_threads()", file, line}), 0, 1};
}

/// Returns the caller's part of \p parent: \p size threads, a power of two, at most 32.
inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  return coalesced_group(nbody::executor::partOf(parent, size));
}
inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
  if (parent.kind_ == thread_group::Kind::lanes)
    return nbody::executor::partOf(parent.lanes_, size);
  return nbody::executor::partOfBlock(size);
}
inline thread_group tiled_partition(const thread_block&, unsigned size) {
  return nbody::executor::partOfBlock(size);
}

/// Calls f(arguments...) in one thread of \p group, the one of rank 0.
template <class Group, class F, class... Arguments>
NBODY_ALWAYS_INLINE void invoke_one(const Group& group, F&& f, Arguments&&... arguments) {
  if (group.thread_rank() == 0) std::forward<F>(f)(std::forward<Arguments>(arguments)...);
}
/// Calls it in the same way, and gives its result to all threads of the group, which is in one warp.
template <class Group, class F, class... Arguments>
NBODY_ALWAYS_INLINE auto invoke_one_broadcast(const Group& group, F&& f, Arguments&&... arguments) {
  decltype(std::forward<F>(f)(std::forward<Arguments>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = std::forward<F>(f)(std::forward<Arguments>(arguments)...);
  return group.shfl(result, 0);
}

/// Returns the lanes of \p group with the same \p predicate.
template <class Group>
coalesced_group binary_partition(const Group& group, bool predicate, NBODY_SITE) {
  const unsigned holds =
      nbody::executor::ballot({"binary_partition()", file, line}, group.lanes(), predicate);
  if (holds == 0 || holds == group.lanes()) return {group.lanes(), 0, 1};
  return {predicate ? holds : group.lanes() & ~holds, predicate ? 1u : 0u, 2};
}

/// Returns the lanes of \p group with the same \p label, ranked by their first lanes.
template <class Group, class T>
coalesced_group labeled_partition(const Group& group, T label, NBODY_SITE) {
  const unsigned same = __match_any_sync(group.lanes(), label, file, line);
  const unsigned first = same & -same;
  const unsigned leaders =
      nbody::executor::ballot({"labeled_partition()", file, line}, group.lanes(),
                              first == 1u << nbody::executor::laneOfCaller());
  return {same, static_cast<unsigned>(__builtin_popcount(leaders & (first - 1))),
          static_cast<unsigned>(__builtin_popcount(leaders))};
}

}  // namespace cooperative_groups
