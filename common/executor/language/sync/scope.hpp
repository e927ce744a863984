/// \file
/// cuda: who takes part in what the objects of this folder do. On the executor all scopes are one, but
/// the checker tells that of a block.
#pragma once

#include <type_traits>

#include "executor/language/atomics.hpp"

namespace cuda {

enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread
};

namespace nbody_detail {
/// For the checker, while one lives: what the running thread does is of that scope.
template <thread_scope Scope>
using ScopeOf = ::std::conditional_t<Scope >= thread_scope_block, nbody::executor::BlockScope,
                                     nbody::executor::WideScope>;
}  // namespace nbody_detail

}  // namespace cuda
