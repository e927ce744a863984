/// \file
/// Code that the translator makes of kernels and launches.
///
/// `k<<<grid, block, bytes, stream>>>(a)` becomes `(Configure(grid, block, bytes, stream).at(),
/// k(a))`, and the kernel's body becomes `stub([=]() mutable { ... }, "k", bounds, {{"a", a}})`.
/// Calling the kernel queues its body, with the captured arguments and the configuration.
#pragma once

#include <initializer_list>
#include <new>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "executor/language/vector_types.hpp"
#include "executor/runtime/caller.hpp"
#include "executor/runtime/stream_api.hpp"
#include "executor/threads.hpp"

namespace nbody::executor {

/// Facts about a kernel.
struct Kernel {
  const char* name = "";
  const char* body = "";  ///< mangled name of its body's type, which contains the kernel's
  unsigned mostThreads = 0;  ///< per block, from __launch_bounds__; 0: the device's limit
  long dynamicLimit = -1;  ///< bytes of dynamic shared memory that it asked for; -1: none
};

struct Launch {
  dim3 grid, block;
  std::size_t sharedBytes = 0;
  cudaStream_t stream = nullptr;
  Caller caller;
  bool cooperative = false;
};

/// Configuration of the next call of a kernel.
class Configure {
 public:
  Configure(dim3 grid, dim3 block, std::size_t sharedBytes = 0, cudaStream_t stream = nullptr)
      : launch_{grid, block, sharedBytes, stream, {"", 0}, false} {}
  explicit Configure(const Launch& launch) : launch_(launch) {}
  Configure(const Configure&) = delete;
  ~Configure();

  /// Sets it for the next kernel that the calling host thread calls.
  void at(Caller caller = {});

  /// Returns the calling thread's latest configuration, and removes it; null: there is none.
  static const Launch* take();

 private:
  Launch launch_;
  Configure* before_ = nullptr;  ///< its arguments may launch kernels too
  bool isWaiting_ = false;
};

/// Operations on closures of one type.
struct ClosureType {
  std::size_t bytes;
  std::align_val_t alignment;
  void (*copy)(void* to, const void* from);  ///< null: byte by byte
  void (*end)(void* closure);  ///< null: nothing to do
  void (*runThread)(const void* closure);
};

/// Queues the kernel for the latest configuration, or describes it if that is why it was called.
void queueKernel(Kernel& kernel, const ClosureType& type, const void* closure,
                 std::initializer_list<Parameter> pointers);

/// Queues the body of a __global__ function. It contains little code, because it is compiled for
/// each kernel and each instance of a template, which is much of a file's compile time.
template <class F>
void stub(F&& body, const char* name, unsigned mostThreads,
          std::initializer_list<Parameter> pointers = {}) {
  using Closure = std::decay_t<F>;
  static_assert(sizeof(Closure) <= 32764, "a kernel's parameters have at most 32,764 bytes");
  static Kernel kernel{name, typeid(Closure).name(), mostThreads, -1};
  ClosureType type{sizeof(Closure), std::align_val_t(alignof(Closure)), nullptr, nullptr,
                   [](const void* closure) {
                     Closure own(*static_cast<const Closure*>(closure));
                     own();
                   }};
  if constexpr (!std::is_trivially_copyable_v<Closure>) {
    type.copy = [](void* to, const void* from) {
      new (to) Closure(*static_cast<const Closure*>(from));
    };
    type.end = [](void* closure) { static_cast<Closure*>(closure)->~Closure(); };
  }
  queueKernel(kernel, type, &body, pointers);
}

/// Takes the error of a call of the function \p name whose result the program ignores. It is reported
/// at the program's end, unless the program has asked for it by then.
cudaError_t ignored(cudaError_t error, const char* name, Caller caller = {});
template <class T>
T&& ignored(T&& result, const char*) {
  return std::forward<T>(result);
}

void* describedDynamicShared(std::size_t elementBytes, Caller caller);

/// `extern __shared__ float tile[]` is dynamicShared<float[]>("tile").
template <class Array>
Array& dynamicShared(const char*, Caller caller = {}) {
  constexpr std::size_t kElementBytes = sizeof(std::remove_extent_t<Array>);
  return *static_cast<Array*>(describedDynamicShared(kElementBytes, caller));
}

}  // namespace nbody::executor
