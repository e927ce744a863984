/// \file
/// CUB's device-wide radix sorts.
#pragma once

#include "cub/device/device_call.cuh"

namespace cub {

struct DeviceRadixSort {
#define NBODY_SORTS(suffix, descends)                                                              \
  template <class Key, class Value>                                                                \
  static cudaError_t SortPairs##suffix(                                                            \
      void* storage, std::size_t& bytes, const Key* keysIn, Key* keysOut, const Value* valuesIn,   \
      Value* valuesOut, std::ptrdiff_t count, int beginBit = 0, int endBit = 8 * sizeof(Key),      \
      cudaStream_t stream = nullptr, detail::Caller caller = {}) {                                 \
    return sort(storage, bytes, keysIn, keysOut, valuesIn, valuesOut, count, beginBit, endBit,     \
                descends, stream, caller);                                                         \
  }                                                                                                \
  template <class Key>                                                                             \
  static cudaError_t SortKeys##suffix(void* storage, std::size_t& bytes, const Key* keysIn,        \
                                      Key* keysOut, std::ptrdiff_t count, int beginBit = 0,        \
                                      int endBit = 8 * sizeof(Key), cudaStream_t stream = nullptr, \
                                      detail::Caller caller = {}) {                                \
    return sort<Key, NullType>(storage, bytes, keysIn, keysOut, nullptr, nullptr, count, beginBit, \
                               endBit, descends, stream, caller);                                  \
  }
  NBODY_SORTS(, false)
  NBODY_SORTS(Descending, true)
#undef NBODY_SORTS

 private:
  /// Sorts by the bits \p beginBit to \p endBit - 1; without values where these are null.
  template <class Key, class Value>
  static cudaError_t sort(void* storage, std::size_t& bytes, const Key* keysIn, Key* keysOut,
                          const Value* valuesIn, Value* valuesOut, std::ptrdiff_t count,
                          int beginBit, int endBit, bool descends, cudaStream_t stream,
                          const detail::Caller& caller) {
    return detail::call(storage, bytes, count, stream, "cub::DeviceRadixSort", caller, [=] {
      using namespace nbody::executor;
      const auto order = radixOrder(keysIn, count, beginBit, endBit, descends);
      permute(order, keysIn, keysOut);
      noteWritten(keysOut, count);
      if (valuesIn == nullptr) return;
      permute(order, valuesIn, valuesOut);
      noteWritten(valuesOut, count);
    });
  }
};

}  // namespace cub
