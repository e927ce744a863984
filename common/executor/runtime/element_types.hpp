/// \file
/// The type of the elements of memory that CUDA's functions give, which their void** loses.
#pragma once

#include <cstddef>
#include <type_traits>

#include "executor/runtime/errors.hpp"

namespace nbody::executor {

/// A pointer of any type, to const too, as CUDA's functions set it.
template <class T>
void** untyped(T** pointer) {
  return reinterpret_cast<void**>(const_cast<std::remove_cv_t<T>**>(pointer));
}

template <class T, class = void>
constexpr std::size_t kBytesOf = 0;  // not known, as of a type that is only declared
template <class T>
constexpr std::size_t
    kBytesOf<T, std::enable_if_t<!std::is_void_v<T>, std::void_t<decltype(sizeof(T))>>> = sizeof(T);

/// Tells the checker the element size of memory that a function has given. Its reports use it.
void setElementBytes(const volatile void* pointer, std::size_t bytes);
template <class T>
cudaError_t ofElements(T** pointer, cudaError_t error) {
  if (error == cudaSuccess && 0 < kBytesOf<T>) setElementBytes(*pointer, kBytesOf<T>);
  return error;
}

/// Whether a type is the address of a pointer. In an allocation the translator replaces the cast to
/// void** by addressOfPointer(), so that the address keeps its type.
template <class T>
struct IsPlainPointer : std::false_type {};
template <class T>
struct IsPlainPointer<T**> : std::true_type {};
template <class Address>
auto addressOfPointer(Address&& address) {
  using A = std::decay_t<Address>;
  if constexpr (IsPlainPointer<A>::value) return static_cast<A>(address);
  else return (void**)address;
}

}  // namespace nbody::executor
