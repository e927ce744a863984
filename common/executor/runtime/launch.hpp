/// \file
/// Code that the translator makes of kernels and launches.
///
/// `k<<<grid, block, bytes, stream>>>(a)` is `(Configure(grid, block, bytes, stream).at(), k(a))`,
/// and the kernel's body is `stub([=]() mutable { ... }, "k", bounds)`: calling the kernel queues
/// its body for the configured launch, with the arguments that it has captured.
#pragma once

#include <memory>
#include <new>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "executor/language/vector_types.hpp"
#include "executor/runtime/caller.hpp"
#include "executor/runtime/stream_api.hpp"

namespace nbody::executor {

/// Facts about a kernel.
struct Kernel {
  const char* name = "";
  const char* body = "";  ///< the mangled name of its body's type, which has the kernel's in it
  unsigned mostThreads = 0;  ///< of a block, by __launch_bounds__; 0: as the device has
  long dynamicLimit = -1;  ///< bytes of dynamic shared memory that it has asked for; -1: it has not
};

struct Launch {
  dim3 grid, block;
  std::size_t sharedBytes = 0;
  cudaStream_t stream = nullptr;
  Caller caller;
  bool cooperative = false;
};

/// The configuration of the call of a kernel that follows.
class Configure {
 public:
  Configure(dim3 grid, dim3 block, std::size_t sharedBytes = 0, cudaStream_t stream = nullptr)
      : launch_{grid, block, sharedBytes, stream, {"", 0}, false} {}
  explicit Configure(const Launch& launch) : launch_(launch) {}
  Configure(const Configure&) = delete;
  ~Configure();

  /// Makes it that of the next kernel that the calling host thread calls.
  void at(Caller caller = {});

  /// The calling thread's latest configuration, which is used up by that; null: there is none.
  static const Launch* take();

 private:
  Launch launch_;
  Configure* before_ = nullptr;  ///< its arguments may launch kernels too
  bool isWaiting_ = false;
};

/// A kernel's body with its arguments.
struct Body {
  std::shared_ptr<const void> closure;
  std::size_t bytes;
  void (*runThread)(const void* closure);  ///< for the calling CUDA thread
};

/// Operations on closures of one type.
struct ClosureType {
  std::size_t bytes;
  std::align_val_t alignment;
  void (*copy)(void* to, const void* from);  ///< null: byte by byte
  void (*end)(void* closure);  ///< null: there is nothing to do
  void (*runThread)(const void* closure);
};

/// Queues the kernel for the latest configuration, or describes it where it is called for that.
void queueKernel(Kernel& kernel, const ClosureType& type, const void* closure);

/// Queues the body of a __global__ function. Little of it is compiled again for each kernel. Each
/// instance of a template is a kernel, so that this is much of a file's compile time.
template <class F>
void stub(F&& body, const char* name, unsigned mostThreads) {
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
  queueKernel(kernel, type, &body);
}

/// Takes the error of a call whose result the program ignores. It is reported at the program's end,
/// unless the program has asked for it by then.
cudaError_t ignored(cudaError_t error, Caller caller = {});
template <class T>
T&& ignored(T&& result) {
  return std::forward<T>(result);
}

void* describedDynamicShared(std::size_t elementBytes, const char* name, Caller caller);

/// `extern __shared__ float tile[]` is dynamicShared<float[]>("tile").
template <class Array>
Array& dynamicShared(const char* name, Caller caller = {}) {
  constexpr std::size_t kElementBytes = sizeof(std::remove_extent_t<Array>);
  return *static_cast<Array*>(describedDynamicShared(kElementBytes, name, caller));
}

}  // namespace nbody::executor
