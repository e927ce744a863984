/// \file
/// CUB's scans over a block.
#pragma once

#include "cub/detail/collective_scan.cuh"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

/// Of X * Y * Z threads, the whole block.
template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
class BlockScan {
 public:
  using TempStorage = detail::Storage<X * Y * Z>;
  BlockScan() = default;
  explicit BlockScan(TempStorage& storage) : storage_(&storage) {}

  NBODY_CUB_SCANS("cub::BlockScan")

  // Of several values a thread.
  template <int Items>
  NBODY_ALWAYS_INLINE void InclusiveSum(T (&in)[Items], T (&out)[Items], NBODY_SITE) {
    runItems(in, out, Sum(), nullptr, false, {"cub::BlockScan", file, line});
  }
  template <int Items>
  NBODY_ALWAYS_INLINE void InclusiveSum(T (&in)[Items], T (&out)[Items], T& total, NBODY_SITE) {
    total = runItems(in, out, Sum(), nullptr, false, {"cub::BlockScan", file, line});
  }
  template <int Items>
  NBODY_ALWAYS_INLINE void ExclusiveSum(T (&in)[Items], T (&out)[Items], NBODY_SITE) {
    const T zero = T();
    runItems(in, out, Sum(), &zero, true, {"cub::BlockScan", file, line});
  }
  template <int Items>
  NBODY_ALWAYS_INLINE void ExclusiveSum(T (&in)[Items], T (&out)[Items], T& total, NBODY_SITE) {
    const T zero = T();
    total = runItems(in, out, Sum(), &zero, true, {"cub::BlockScan", file, line});
  }
  template <int Items, class Operation>
  NBODY_ALWAYS_INLINE void InclusiveScan(T (&in)[Items],
                                         T (&out)[Items],
                                         Operation operation,
                                         NBODY_SITE) {
    runItems(in, out, operation, nullptr, false, {"cub::BlockScan", file, line});
  }
  template <int Items, class Operation>
  NBODY_ALWAYS_INLINE void InclusiveScan(T (&in)[Items],
                                         T (&out)[Items],
                                         Operation operation,
                                         T& total,
                                         NBODY_SITE) {
    total = runItems(in, out, operation, nullptr, false, {"cub::BlockScan", file, line});
  }
  template <int Items, class Operation>
  NBODY_ALWAYS_INLINE void ExclusiveScan(T (&in)[Items],
                                         T (&out)[Items],
                                         T start,
                                         Operation operation,
                                         NBODY_SITE) {
    runItems(in, out, operation, &start, true, {"cub::BlockScan", file, line});
  }

 private:
  template <int Items, class Operation>
  NBODY_ALWAYS_INLINE T runItems(T (&in)[Items],
                                 T (&out)[Items],
                                 const Operation& operation,
                                 const T* start,
                                 bool exclusive,
                                 detail::Site site) {
    return detail::scan(storage_,
                        site,
                        detail::wholeBlock(),
                        nbody::executor::rankInBlock(),
                        in,
                        out,
                        operation,
                        start,
                        exclusive);
  }
  template <class Operation>
  NBODY_ALWAYS_INLINE T
  run(T in, T& out, const Operation& operation, const T* start, bool exclusive, detail::Site site) {
    T ins[] = {in}, outs[] = {in};
    const T total = runItems(ins, outs, operation, start, exclusive, site);
    out = outs[0];
    return total;
  }

  TempStorage* storage_ = nullptr;
};

}  // namespace cub
