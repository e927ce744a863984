/// \file
/// cuda: who takes part in what the objects of this folder do. On the executor all scopes are one.
#pragma once

namespace cuda {

enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread
};

}  // namespace cuda
