/// \file
/// CUB's reductions over a warp.
#pragma once

#include "cub/detail/collective_reduce.cuh"

namespace cub {

/// Of \p Threads lanes. The result is that of the first of them.
template <class T, int Threads = 32>
class WarpReduce {
 public:
  using TempStorage = detail::Storage<Threads>;
  explicit WarpReduce(TempStorage& storage) : storage_(&storage) {}

  template <class Operation>
  NBODY_ALWAYS_INLINE T Reduce(T value, Operation operation, NBODY_SITE) {
    return run(value, operation, Threads, {"cub::WarpReduce", file, line});
  }
  template <class Operation>
  NBODY_ALWAYS_INLINE T Reduce(T value, Operation operation, int valid, NBODY_SITE) {
    return run(value, operation, valid, {"cub::WarpReduce", file, line});
  }
  NBODY_ALWAYS_INLINE T Sum(T value, NBODY_SITE) { return Reduce(value, cub::Sum(), file, line); }
  NBODY_ALWAYS_INLINE T Sum(T value, int valid, NBODY_SITE) {
    return Reduce(value, cub::Sum(), valid, file, line);
  }

 private:
  template <class Operation>
  NBODY_ALWAYS_INLINE T run(T value, const Operation& operation, int valid, detail::Site site) {
    return detail::reduce(storage_,
                          site,
                          detail::logicalWarp<Threads>(),
                          nbody::executor::laneOfCaller() % Threads,
                          value,
                          operation,
                          valid);
  }

  TempStorage* storage_;
};

}  // namespace cub
