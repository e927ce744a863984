/// \file
/// CUB's scans over a warp.
#pragma once

#include "cub/detail/collective_scan.cuh"

namespace cub {

/// Of \p Threads lanes.
template <class T, int Threads = 32>
class WarpScan {
 public:
  using TempStorage = detail::Storage<Threads>;
  explicit WarpScan(TempStorage& storage) : storage_(&storage) {}

  NBODY_CUB_SCANS("cub::WarpScan")

  /// Lane \p lane's value.
  NBODY_ALWAYS_INLINE T Broadcast(T value, unsigned lane, NBODY_SITE) {
    return detail::meetBy(storage_,
                          {"cub::WarpScan", file, line},
                          detail::logicalWarp<Threads>(),
                          rank(),
                          value,
                          [lane](T* const* values, int count) {
                            const T chosen = *values[lane];
                            for (int i = 0; i < count; ++i) *values[i] = chosen;
                          });
  }

 private:
  static unsigned rank() { return nbody::executor::laneOfCaller() % Threads; }

  template <class Operation>
  NBODY_ALWAYS_INLINE T
  run(T in, T& out, const Operation& operation, const T* start, bool exclusive, detail::Site site) {
    T ins[] = {in}, outs[] = {in};
    const T total = detail::scan(storage_,
                                 site,
                                 detail::logicalWarp<Threads>(),
                                 rank(),
                                 ins,
                                 outs,
                                 operation,
                                 start,
                                 exclusive);
    out = outs[0];
    return total;
  }

  TempStorage* storage_;
};

}  // namespace cub
