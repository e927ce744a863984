/// \file
/// Where a range lies, and with which policy an algorithm runs.
#pragma once

#include <iterator>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "executor/language/libraries/open_memory.hpp"

namespace thrust {

/// What an algorithm throws where CUDA has an error.
class system_error : public std::runtime_error {
 public:
  explicit system_error(cudaError_t code)
      : std::runtime_error(cudaGetErrorString(code)), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};
namespace system {
using thrust::system_error;
}

namespace detail {

inline void check(cudaError_t error) {
  if (error != cudaSuccess) throw system_error(error);
}

/// A policy: which memory the ranges of an algorithm are in, and in which stream it runs.
struct Policy {
  bool isDevice;
  cudaStream_t stream = nullptr;
};
struct DevicePolicy : Policy {
  constexpr DevicePolicy() : Policy{true} {}
  DevicePolicy on(cudaStream_t stream) const {
    DevicePolicy result = *this;
    result.stream = stream;
    return result;
  }
  /// With an allocator, which is not needed here.
  template <class Allocator>
  DevicePolicy operator()(Allocator&&) const {
    return *this;
  }
};
struct HostPolicy : Policy {
  constexpr HostPolicy() : Policy{false} {}
};

template <class T>
constexpr bool isPolicy = std::is_base_of<Policy, std::decay_t<T>>::value;

/// Of an iterator: its memory. What is computed, not stored, is anywhere, as is what is no
/// iterator.
enum class Place { anywhere, host, device };
constexpr Place together(Place a, Place b) {
  if (a == Place::device || b == Place::device) return Place::device;
  return a == Place::host || b == Place::host ? Place::host : Place::anywhere;
}

/// What is no iterator, or one that stores nothing of its own.
template <class Iterator, class = void>
struct PlainAccess {
  static constexpr Place place = Place::anywhere;
  using Raw = Iterator;
  static Raw raw(const Iterator& i) { return i; }
  static Iterator back(const Raw& i) { return i; }
};
/// Iterators over memory of the host, plain pointers among them.
template <class Iterator>
struct PlainAccess<Iterator,
                   std::void_t<typename std::iterator_traits<Iterator>::iterator_category>>
    : PlainAccess<Iterator, int> {
  static constexpr Place place = Place::host;
};

/// Iterators that others are made of are taken apart: specialisations name the place, the iterator
/// over plain pointers that an algorithm works with, and the way back from it.
template <class Iterator>
struct Access : PlainAccess<Iterator> {};

template <class... Iterators>
constexpr Place placeOf() {
  Place place = Place::anywhere;
  for (Place p : {Place::anywhere, Access<Iterators>::place...}) place = together(place, p);
  return place;
}

/// Tells the checker what an algorithm has written.
template <class Iterator>
void noteWritten(const Iterator& first, std::ptrdiff_t count) {
  nbody::executor::noteWritten(first, count);
}

}  // namespace detail

inline constexpr detail::DevicePolicy device{};
inline constexpr detail::HostPolicy host{};
/// Runs in the calling thread, of a kernel or of the host.
inline constexpr detail::HostPolicy seq{};

namespace cuda {
using par_t = detail::DevicePolicy;
inline constexpr detail::DevicePolicy par{};
inline constexpr detail::DevicePolicy par_nosync{};
}  // namespace cuda

using device_execution_policy = detail::DevicePolicy;
using host_execution_policy = detail::HostPolicy;

}  // namespace thrust
