/// \file
/// CUB's stores of a tile by a block: Items values a thread.
#pragma once

#include "cub/detail/collective.cuh"

namespace cub {

enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED,
};

/// As BlockLoad, the other way round.
template <class T,
          int X,
          int Items,
          BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT,
          int Y = 1,
          int Z = 1>
class BlockStore {
 public:
  using TempStorage = detail::Storage<X * Y * Z>;
  BlockStore() = default;
  explicit BlockStore(TempStorage& storage) : storage_(&storage) {}

  template <class Iterator>
  NBODY_ALWAYS_INLINE void Store(Iterator to, T (&items)[Items], NBODY_SITE) {
    Store(to, items, X * Y * Z * Items, file, line);
  }
  /// The first \p valid values.
  template <class Iterator>
  NBODY_ALWAYS_INLINE void Store(Iterator to, T (&items)[Items], int valid, NBODY_SITE) {
    const int rank = static_cast<int>(nbody::executor::rankInBlock());
    if (Algorithm >= BLOCK_STORE_TRANSPOSE)
      detail::meetBy(storage_,
                     {"cub::BlockStore", file, line},
                     detail::wholeBlock(),
                     nbody::executor::rankInBlock(),
                     0,
                     [](int* const*, int) {});
    for (int i = 0; i < Items; ++i) {
      const int place = Algorithm == BLOCK_STORE_STRIPED ? i * X * Y * Z + rank : rank * Items + i;
      if (place < valid) to[place] = items[i];
    }
  }

 private:
  TempStorage* storage_ = nullptr;
};

}  // namespace cub
