/// \file
/// CUB's protocol of two calls: the first asks for the bytes of temporary storage, the second
/// works.
#pragma once

#include <iterator>

#include "cub/operators.cuh"
#include "executor/language/libraries/open_memory.hpp"
#include "executor/language/libraries/ranges.hpp"

namespace cub {
namespace detail {

using nbody::executor::Caller;

template <class Iterator>
using ValueOf = std::remove_cv_t<typename std::iterator_traits<Iterator>::value_type>;

/// Bytes that are asked for, for \p items items: some, so that a program is found which forgets
/// them.
inline std::size_t storageFor(std::ptrdiff_t items) {
  return 256 + static_cast<std::size_t>(items > 0 ? items : 0) / 64 * 8;
}

/// Without \p storage sets \p bytes; with it, runs \p work as an operation of \p stream.
template <class Work>
cudaError_t call(void* storage, std::size_t& bytes, std::ptrdiff_t items, cudaStream_t stream,
                 const char* name, const Caller& caller, Work work) {
  if (storage == nullptr) {
    bytes = storageFor(items);
    return cudaSuccess;
  }
  if (items < 0 || bytes < storageFor(items)) return cudaErrorInvalidValue;
  nbody::executor::runOpened(stream, name, caller, work);
  return cudaSuccess;
}

}  // namespace detail
}  // namespace cub
