/// \file
/// cooperative_groups: groups that form when the kernel runs: the lanes that are together, parts of
/// a size known at run time, and parts by a value.
#pragma once

#include "executor/language/groups/tiles.hpp"

namespace cooperative_groups {

/// Lanes of a warp, any of them.
class coalesced_group : public nbody::executor::LaneGroup {
 public:
  using LaneGroup::LaneGroup;
  coalesced_group() = default;
  explicit coalesced_group(const LaneGroup& lanes) : LaneGroup(lanes) {}
};

/// The lanes that have come to this line together.
inline coalesced_group coalesced_threads(NBODY_SITE) {
  return {nbody::executor::converge({"coalesced_threads()", file, line}), 0, 1};
}

/// The part of \p parent that the caller is in: \p size threads, a power of two, at most 32.
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

/// The lanes of \p group that came with the same \p predicate.
template <class Group>
coalesced_group binary_partition(const Group& group, bool predicate, NBODY_SITE) {
  const unsigned holds =
      nbody::executor::ballot({"binary_partition()", file, line}, group.lanes(), predicate);
  if (holds == 0 || holds == group.lanes()) return {group.lanes(), 0, 1};
  return {predicate ? holds : group.lanes() & ~holds, predicate ? 1u : 0u, 2};
}

/// The lanes of \p group that came with the same \p label; ranked by their first lanes.
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
