/// \file
/// CUB's loads of a tile by a block: Items values a thread.
#pragma once

#include "cub/detail/collective.cuh"

namespace cub {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
};

/// Every way gives thread i the values from i * Items on, but for the striped one, which gives it
/// every X-th from i on.
template <class T,
          int X,
          int Items,
          BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT,
          int Y = 1,
          int Z = 1>
class BlockLoad {
 public:
  using TempStorage = detail::Storage<X * Y * Z>;
  BlockLoad() = default;
  explicit BlockLoad(TempStorage& storage) : storage_(&storage) {}

  template <class Iterator>
  NBODY_ALWAYS_INLINE void Load(Iterator from, T (&items)[Items], NBODY_SITE) {
    load(from, items, X * Y * Z * Items, nullptr);
    meet({"cub::BlockLoad", file, line});
  }
  /// Of the first \p valid values.
  template <class Iterator>
  NBODY_ALWAYS_INLINE void Load(Iterator from, T (&items)[Items], int valid, NBODY_SITE) {
    load(from, items, valid, nullptr);
    meet({"cub::BlockLoad", file, line});
  }
  template <class Iterator>
  NBODY_ALWAYS_INLINE void Load(Iterator from, T (&items)[Items], int valid, T other, NBODY_SITE) {
    load(from, items, valid, &other);
    meet({"cub::BlockLoad", file, line});
  }

 private:
  template <class Iterator>
  NBODY_ALWAYS_INLINE void load(Iterator from, T (&items)[Items], int valid, const T* other) {
    const int rank = static_cast<int>(nbody::executor::rankInBlock());
    for (int i = 0; i < Items; ++i) {
      const int place = Algorithm == BLOCK_LOAD_STRIPED ? i * X * Y * Z + rank : rank * Items + i;
      if (place < valid) items[i] = from[place];
      else if (other != nullptr) items[i] = *other;
    }
  }
  /// The ways that go through shared memory wait for all threads.
  NBODY_ALWAYS_INLINE void meet(detail::Site site) {
    if (Algorithm < BLOCK_LOAD_TRANSPOSE) return;
    detail::meetBy(storage_,
                   site,
                   detail::wholeBlock(),
                   nbody::executor::rankInBlock(),
                   0,
                   [](int* const*, int) {});
  }

  TempStorage* storage_ = nullptr;
};

}  // namespace cub
