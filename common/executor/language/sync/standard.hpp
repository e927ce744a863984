/// \file
/// cuda::std: the standard library's names, with CUDA's atomic.
#pragma once

#include <utility>

#include "executor/language/sync/atomic_object.hpp"

namespace cuda {
namespace std {

using namespace ::std;  // what is declared here hides the same name there

template <class T>
using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T>
using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;

#if __cplusplus < 202002L
struct identity {
  template <class T>
  constexpr T&& operator()(T&& value) const {
    return static_cast<T&&>(value);
  }
};
#endif

}  // namespace std
}  // namespace cuda
