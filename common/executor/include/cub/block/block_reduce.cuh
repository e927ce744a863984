/// \file
/// CUB's reductions over a block.
#pragma once

#include "cub/detail/collective_reduce.cuh"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS,
};

/// Of X * Y * Z threads, the whole block. The result is the first thread's.
template <class T,
          int X,
          BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS,
          int Y = 1,
          int Z = 1>
class BlockReduce {
 public:
  using TempStorage = detail::Storage<X * Y * Z>;
  BlockReduce() = default;
  explicit BlockReduce(TempStorage& storage) : storage_(&storage) {}

  template <class Operation>
  NBODY_ALWAYS_INLINE T Reduce(T value, Operation operation, NBODY_SITE) {
    return run(value, operation, X * Y * Z, {"cub::BlockReduce", file, line});
  }
  /// Of the first \p valid threads' values.
  template <class Operation>
  NBODY_ALWAYS_INLINE T Reduce(T value, Operation operation, int valid, NBODY_SITE) {
    return run(value, operation, valid, {"cub::BlockReduce", file, line});
  }
  template <int Items, class Operation>
  NBODY_ALWAYS_INLINE T Reduce(T (&values)[Items], Operation operation, NBODY_SITE) {
    T own = values[0];
    for (int i = 1; i < Items; ++i) own = operation(own, values[i]);
    return run(own, operation, X * Y * Z, {"cub::BlockReduce", file, line});
  }
  NBODY_ALWAYS_INLINE T Sum(T value, NBODY_SITE) { return Reduce(value, cub::Sum(), file, line); }
  NBODY_ALWAYS_INLINE T Sum(T value, int valid, NBODY_SITE) {
    return Reduce(value, cub::Sum(), valid, file, line);
  }
  template <int Items>
  NBODY_ALWAYS_INLINE T Sum(T (&values)[Items], NBODY_SITE) {
    return Reduce(values, cub::Sum(), file, line);
  }

 private:
  template <class Operation>
  NBODY_ALWAYS_INLINE T run(T value, const Operation& operation, int valid, detail::Site site) {
    return detail::reduce(storage_,
                          site,
                          detail::wholeBlock(),
                          nbody::executor::rankInBlock(),
                          value,
                          operation,
                          valid);
  }

  TempStorage* storage_ = nullptr;
};

}  // namespace cub
