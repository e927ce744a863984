/// \file
/// Calls of algorithms: with a policy or without, on plain pointers, with device memory open.
#pragma once

#include <tuple>
#include <utility>

#include "executor/runtime/launch.hpp"
#include "thrust/detail/system.h"
#include "thrust/functional.h"
#include "thrust/iterator/reverse_iterator.h"

namespace thrust {
namespace detail {

/// A result of the kind that argument \p Index of the algorithm has.
template <int Index, class Raw>
struct Like {
  Raw raw;
};
template <int Index, class Raw>
Like<Index, Raw> like(Raw raw) {
  return {raw};
}

template <class Arguments, class T>
T given(const T& result) {
  return result;
}
template <class Arguments, int Index, class Raw>
auto given(const Like<Index, Raw>& result) {
  return Access<std::tuple_element_t<Index, Arguments>>::back(result.raw);
}
template <class Arguments, int I, class A, int J, class B>
auto given(const std::pair<Like<I, A>, Like<J, B>>& result) {
  return std::make_pair(given<Arguments>(result.first), given<Arguments>(result.second));
}

template <class Function, class... Arguments>
auto runOn(bool isDevice, const Function& function, Arguments... arguments) {
  const nbody::executor::OpenMemory open(isDevice);
  using Result = decltype(function(Access<Arguments>::raw(arguments)...));
  if constexpr (std::is_void_v<Result>) function(Access<Arguments>::raw(arguments)...);
  else return given<std::tuple<Arguments...>>(function(Access<Arguments>::raw(arguments)...));
}

/// Calls \p function with plain arguments; a policy before them says where they lie.
template <class Function, class First, class... Rest>
auto run(const Function& function, const First& first, const Rest&... rest) {
  if constexpr (isPolicy<First>) {
    return runOn(first.isDevice, function, rest...);
  } else {
    return runOn(placeOf<First, Rest...>() != Place::host, function, first, rest...);
  }
}

/// Calls body(i) for i from 0 to \p count - 1: for memory of the device as a kernel named \p name.
template <class Body>
void parallelFor(const Policy& policy,
                 std::ptrdiff_t count,
                 const char* name,
                 const nbody::executor::Caller& caller,
                 Body body) {
  if (count <= 0) return;
  if (!policy.isDevice || nbody::executor::isMemoryOpen()) {
    for (std::ptrdiff_t i = 0; i < count; ++i) body(i);
    return;
  }
  constexpr unsigned kBlock = 256;
  const auto blocks = static_cast<unsigned>((count + kBlock - 1) / kBlock);
  nbody::executor::Configure configuration(dim3(blocks), dim3(kBlock), 0, policy.stream);
  configuration.at(caller);
  nbody::executor::stub(
      [body, count]() mutable {
        const std::ptrdiff_t i = static_cast<std::ptrdiff_t>(blockIdx.x) * blockDim.x + threadIdx.x;
        if (i < count) body(i);
      },
      name,
      0);
  const nbody::executor::HostView finished;
  check(cudaPeekAtLastError());
}

/// The policy of ranges for which none is given.
template <class... Iterators>
Policy policyOf() {
  return {placeOf<Iterators...>() != Place::host};
}

}  // namespace detail
}  // namespace thrust

/// The algorithm `name`, of the function object `detail::name##Function`. By value, so that arrays are
/// pointers.
#define NBODY_THRUST_ALGORITHM(name)                              \
  template <class First, class... Rest>                           \
  auto name(First first, Rest... rest) {                          \
    return detail::run(detail::name##Function(), first, rest...); \
  }
