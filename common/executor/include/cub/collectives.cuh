/// \file
/// CUB's reductions and scans over a block or a warp.
///
/// The threads exchange values when they meet, not through their temporary storage. But each thread
/// first writes its element there and then reads a neighbour's, so that the checker sees what would
/// be a race on a GPU: a second use of the storage without a barrier in between.
#pragma once

#include <cstring>
#include <type_traits>

#include "cub/operators.cuh"
#include "executor/language/always_inline.hpp"
#include "executor/language/groups/blocks.hpp"
#include "executor/language/groups/partitions.hpp"

namespace cub {
namespace detail {

using nbody::executor::Members;
using nbody::executor::Site;

// Participants: all threads of the block, or the lanes of the caller's logical warp.
template <int Threads>
struct OfBlock {
  static constexpr int kThreads = Threads;
  static constexpr const char* kReduce = "cub::BlockReduce";
  static constexpr const char* kScan = "cub::BlockScan";
  static Members members() { return {0, 0, nbody::executor::threadsInBlock()}; }
  static unsigned rank() { return nbody::executor::rankInBlock(); }
};
template <int Threads>
struct OfWarp {
  static_assert(Threads > 0 && Threads <= 32 && (Threads & (Threads - 1)) == 0,
                "a logical warp has a power of two lanes, at most 32");
  static constexpr int kThreads = Threads;
  static constexpr const char* kReduce = "cub::WarpReduce";
  static constexpr const char* kScan = "cub::WarpScan";
  static Members members() { return nbody::executor::partOfBlock(Threads).members(); }
  static unsigned rank() { return nbody::executor::laneOfCaller() % Threads; }
};

template <class Place>
class Collective {
 public:
  struct TempStorage {
    unsigned char places[Place::kThreads];
  };
  Collective() = default;
  explicit Collective(TempStorage& storage) : storage_(&storage) {}

 protected:
  /// Calls work(values, count) with the values of all threads.
  template <class T, class Work>
  NBODY_ALWAYS_INLINE T meetBy(Site site, T value, const Work& work) const {
    using namespace nbody::executor;
    const Members members = Place::members();
    const unsigned rank = Place::rank();
    if (storage_ != nullptr) storage_->places[rank] = 1;
    const T result = meet(site, members, value, work);
    if (storage_ != nullptr && members.lanes != 0)  // shuffles do not order memory
      waitForWarp(site, WarpOperation::sync, members.lanes, 0, 0);
    if (storage_ != nullptr) {
      const volatile unsigned char* const neighbours =
          &storage_->places[(rank + 1) % members.count];
      static_cast<void>(*neighbours);
    }
    return result;
  }

 private:
  TempStorage* storage_ = nullptr;
};

/// Reductions of one or several values per thread. The first thread gets the result.
template <class T, class Place>
class Reduction : public Collective<Place> {
 public:
  using Collective<Place>::Collective;

  template <class Values, class Operation>
  NBODY_ALWAYS_INLINE T Reduce(const Values& values, Operation operation, NBODY_SITE) {
    if constexpr (std::is_array_v<Values>) {
      T own = values[0];
      for (std::size_t i = 1; i < std::extent_v<Values>; ++i) own = operation(own, values[i]);
      return run(own, operation, Place::kThreads, {Place::kReduce, file, line});
    } else {
      return run(values, operation, Place::kThreads, {Place::kReduce, file, line});
    }
  }
  /// Reduces the values of the first \p valid threads.
  template <class Operation>
  NBODY_ALWAYS_INLINE T Reduce(T value, Operation operation, int valid, NBODY_SITE) {
    return run(value, operation, valid, {Place::kReduce, file, line});
  }
  template <class Values>
  NBODY_ALWAYS_INLINE T Sum(const Values& values, NBODY_SITE) {
    return Reduce(values, cub::Sum(), file, line);
  }
  NBODY_ALWAYS_INLINE T Sum(T value, int valid, NBODY_SITE) {
    return Reduce(value, cub::Sum(), valid, file, line);
  }

 private:
  template <class Operation>
  NBODY_ALWAYS_INLINE T run(T value, const Operation& operation, int valid, Site site) {
    const auto work = [&operation, valid](T* const* values, int count) {
      T sum = *values[0];
      for (int i = 1; i < count && i < valid; ++i) sum = operation(sum, *values[i]);
      *values[0] = sum;
    };
    const T result = this->meetBy(site, value, work);
    if (Place::rank() == 0) return result;
    // Makes the undefined results of the other threads noticeable.
    if constexpr (std::is_trivially_copyable_v<T>)
      std::memset(static_cast<void*>(&value), 0xff, sizeof value);
    return value;
  }
};

/// A thread's values, and what a scan returns to every thread.
template <class T, int Items>
struct ScanItems {
  T items[Items];
  T total;
};

/// Scans of one or several values per thread. A thread's values follow each other.
template <class T, class Place>
class Scan : public Collective<Place> {
 public:
  using Collective<Place>::Collective;

  // With `total`, every thread also gets the result over all values.
  template <class In, class Out>
  NBODY_ALWAYS_INLINE void InclusiveSum(const In& in, Out& out, NBODY_SITE) {
    InclusiveScan(in, out, Sum(), file, line);
  }
  template <class In, class Out>
  NBODY_ALWAYS_INLINE void InclusiveSum(const In& in, Out& out, T& total, NBODY_SITE) {
    InclusiveScan(in, out, Sum(), total, file, line);
  }
  template <class In, class Out>
  NBODY_ALWAYS_INLINE void ExclusiveSum(const In& in, Out& out, NBODY_SITE) {
    ExclusiveScan(in, out, T(), Sum(), file, line);
  }
  template <class In, class Out>
  NBODY_ALWAYS_INLINE void ExclusiveSum(const In& in, Out& out, T& total, NBODY_SITE) {
    ExclusiveScan(in, out, T(), Sum(), total, file, line);
  }
  template <class In, class Out, class Operation>
  NBODY_ALWAYS_INLINE void InclusiveScan(const In& in, Out& out, Operation operation, NBODY_SITE) {
    run(in, out, operation, nullptr, false, {Place::kScan, file, line});
  }
  template <class In, class Out, class Operation>
  NBODY_ALWAYS_INLINE void InclusiveScan(const In& in, Out& out, Operation operation, T& total,
                                         NBODY_SITE) {
    total = run(in, out, operation, nullptr, false, {Place::kScan, file, line});
  }
  template <class In, class Out, class Operation>
  NBODY_ALWAYS_INLINE void ExclusiveScan(const In& in, Out& out, Operation operation, NBODY_SITE) {
    run(in, out, operation, nullptr, true, {Place::kScan, file, line});
  }
  template <class In, class Out, class Operation>
  NBODY_ALWAYS_INLINE void ExclusiveScan(const In& in, Out& out, T start, Operation operation,
                                         NBODY_SITE) {
    run(in, out, operation, &start, true, {Place::kScan, file, line});
  }
  template <class In, class Out, class Operation>
  NBODY_ALWAYS_INLINE void ExclusiveScan(const In& in, Out& out, T start, Operation operation,
                                         T& total, NBODY_SITE) {
    total = run(in, out, operation, &start, true, {Place::kScan, file, line});
  }

 private:
  /// Does an exclusive scan that begins with \p start, or if that is null with T(). Returns the
  /// result over all values.
  template <class In, class Out, class Operation>
  NBODY_ALWAYS_INLINE T run(const In& in, Out& out, const Operation& operation, const T* start,
                            bool exclusive, Site site) {
    constexpr int kItems = std::is_array_v<In> ? static_cast<int>(std::extent_v<In>) : 1;
    using Own = ScanItems<T, kItems>;
    Own own;
    if constexpr (std::is_array_v<In>)
      for (int i = 0; i < kItems; ++i) own.items[i] = in[i];
    else own.items[0] = in;
    own.total = own.items[0];
    const auto work = [&operation, start, exclusive](Own* const* all, int count) {
      T sum = start != nullptr ? *start : all[0]->items[0], total = all[0]->items[0];
      for (int i = 0; i < count * kItems; ++i) {
        T& item = all[i / kItems]->items[i % kItems];
        const T value = item;
        if (i > 0) total = operation(total, value);
        if (exclusive) item = i == 0 && start == nullptr ? T() : sum;
        if (i > 0 || start != nullptr) sum = operation(sum, value);
        if (!exclusive) item = sum;
      }
      for (int i = 0; i < count; ++i) all[i]->total = total;
    };
    own = this->meetBy(site, own, work);
    if constexpr (std::is_array_v<In>)
      for (int i = 0; i < kItems; ++i) out[i] = own.items[i];
    else out = own.items[0];
    return own.total;
  }
};

}  // namespace detail

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS,
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int X, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1>
class BlockReduce : public detail::Reduction<T, detail::OfBlock<X * Y * Z>> {
 public:
  using detail::Reduction<T, detail::OfBlock<X * Y * Z>>::Reduction;
};

template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
class BlockScan : public detail::Scan<T, detail::OfBlock<X * Y * Z>> {
 public:
  using detail::Scan<T, detail::OfBlock<X * Y * Z>>::Scan;
};

template <class T, int Threads = 32>
class WarpReduce : public detail::Reduction<T, detail::OfWarp<Threads>> {
 public:
  using detail::Reduction<T, detail::OfWarp<Threads>>::Reduction;
};

template <class T, int Threads = 32>
class WarpScan : public detail::Scan<T, detail::OfWarp<Threads>> {
 public:
  using detail::Scan<T, detail::OfWarp<Threads>>::Scan;
};

}  // namespace cub
