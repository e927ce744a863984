/// \file
/// CCCL's Thrust with the executor as its device system: the namespace thrust::cuda. An algorithm
/// on device memory is a kernel, with a thread per element, or with a single one that runs the
/// algorithm of Thrust's sequential system. So the checker sees each access to the program's
/// arrays, and memory stays closed to host code.
#pragma once

#include <thrust/detail/config.h>
#include <thrust/system/cpp/detail/execution_policy.h>

#include <cstddef>
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "executor/language/libraries/ranges.hpp"
#include "executor/runtime/api.hpp"
#include "executor/runtime/host_view.hpp"
#include "executor/runtime/launch.hpp"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

using nbody::executor::currentThread;

// Each of Thrust's systems has these two: a tag for its iterators, and the base of its policies.
struct tag;
template <class Derived>
struct execution_policy;
template <>
struct execution_policy<tag> : thrust::system::detail::sequential::execution_policy<tag> {};
struct tag : execution_policy<tag> {};
template <class Derived>
struct execution_policy : thrust::system::detail::sequential::execution_policy<Derived> {
  using tag_type = tag;
  operator tag() const { return tag(); }
};

/// thrust::device and thrust::cuda::par, with a stream if .on() has been called.
struct par_t : execution_policy<par_t> {
  cudaStream_t stream = nullptr;
  bool waits = true;  ///< an algorithm returns when it has ended, even without a result

  constexpr par_t() = default;
  constexpr explicit par_t(bool waits) : waits(waits) {}
  par_t on(cudaStream_t itsStream) const {
    par_t result = *this;
    result.stream = itsStream;
    return result;
  }
  /// Takes an allocator of temporary memory, which is not used here.
  template <class Allocator>
  par_t operator()(Allocator&&) const {
    return *this;
  }
};

/// Policy in a kernel.
struct InKernel : thrust::system::cpp::execution_policy<InKernel> {};
/// Policy of copies between host and device.
struct Crossing : thrust::execution_policy<Crossing> {};

template <class Derived, class Host>
Crossing select_system(execution_policy<Derived>&, thrust::system::cpp::execution_policy<Host>&) {
  return {};
}
template <class Host, class Derived>
Crossing select_system(thrust::system::cpp::execution_policy<Host>&, execution_policy<Derived>&) {
  return {};
}

template <class Derived>
par_t settingsOf(execution_policy<Derived>& policy) {
  if constexpr (std::is_base_of_v<par_t, Derived>) return static_cast<Derived&>(policy);
  else return par_t();
}

/// Throws a thrust::system_error if the program includes its header.
inline void (*throwError)(cudaError_t, const char* what) = [](cudaError_t error, const char* what) {
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
};

inline void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  throwError(error, what);
}

template <class T>
T* rawPointer(T* pointer) {
  return pointer;
}
template <class Pointer>
auto rawPointer(const Pointer& pointer) -> decltype(pointer.get()) {
  return pointer.get();
}

// Memory.

inline void* allocate(std::size_t bytes) {
  void* memory = nullptr;
  check(currentThread.inKernel ? cudaMalloc(&memory, bytes)
                               : cudaMalloc(&memory, bytes, nbody::executor::callerOfThrust()),
        "cudaMalloc");
  return memory;
}
template <class Derived>
void* malloc(execution_policy<Derived>&, std::size_t bytes) {
  return allocate(bytes);
}
template <class Derived, class Pointer>
void free(execution_policy<Derived>&, Pointer pointer) {
  cudaFree(rawPointer(pointer));
}
inline void* malloc(InKernel&, std::size_t bytes) { return allocate(bytes); }
template <class Pointer>
void free(InKernel&, Pointer pointer) {
  cudaFree(rawPointer(pointer));
}

/// An array on the device while an algorithm runs.
template <class T>
class Scratch {
 public:
  explicit Scratch(std::size_t count) : memory_(static_cast<T*>(allocate(count * sizeof(T)))) {}
  ~Scratch() { cudaFree(memory_); }
  Scratch(const Scratch&) = delete;
  T* get() const { return memory_; }

 private:
  T* memory_;
};

/// Bytes of objects. A copy between host and device calls no constructor.
template <class T>
void copyBytes(T* to, const T* from, std::size_t count) {
  using Bytes = void*;
  if (count > 0)
    check(cudaMemcpy((Bytes)to, (Bytes)from, count * sizeof(T), cudaMemcpyDefault,
                     nbody::executor::callerOfThrust()),
          "cudaMemcpy");
}

// Kernels.

/// Runs body(i) for i from 0 to \p count - 1 on the device.
template <class Body>
void launch(const par_t& policy, std::ptrdiff_t count, const char* name, Body body) {
  if (count <= 0) return;
  constexpr std::ptrdiff_t kBlock = 256;
  const auto block = static_cast<unsigned>(count < kBlock ? count : kBlock);
  const auto blocks = static_cast<unsigned>((count + kBlock - 1) / kBlock);
  nbody::executor::Configure configuration(dim3(blocks), dim3(block), 0, policy.stream);
  configuration.at(nbody::executor::callerOfThrust());
  nbody::executor::stub(
      [body, count]() mutable {
        const std::ptrdiff_t i = static_cast<std::ptrdiff_t>(blockIdx.x) * blockDim.x + threadIdx.x;
        if (i < count) body(i);
      },
      name, 0);
  check(cudaPeekAtLastError(), name);
}

inline void wait(const par_t& policy, const char* name) {
  check(cudaStreamSynchronize(policy.stream), name);
}

/// Holds a result, which a kernel writes and the host reads.
template <class T>
class Result {
 public:
  Result() { check(cudaMallocHost(&memory_, sizeof(T)), "cudaMallocHost"); }
  ~Result() { cudaFreeHost(memory_); }
  Result(const Result&) = delete;
  T* get() const { return memory_; }

 private:
  T* memory_ = nullptr;
};

/// Runs \p work on a single device thread, and returns its result.
template <class Derived, class Work>
auto run(execution_policy<Derived>& policy, const char* name, Work work) {
  if (currentThread.inKernel) return work();
  const par_t settings = settingsOf(policy);
  using Value = decltype(work());
  if constexpr (std::is_void_v<Value>) {
    launch(settings, 1, name, [work](std::ptrdiff_t) mutable { work(); });
    if (settings.waits) wait(settings, name);
  } else {
    const Result<Value> result;
    Value* const memory = result.get();
    launch(settings, 1, name,
           [work, memory](std::ptrdiff_t) mutable { new (memory) Value(work()); });
    wait(settings, name);
    return Value(*memory);
  }
}

// Algorithms.

void raw_reference_cast();  // Thrust's function is found by the type of a device reference

/// An element as an algorithm passes it to its function.
template <class Reference>
auto element(Reference&& reference, int)
    -> decltype(raw_reference_cast(std::forward<Reference>(reference))) {
  return raw_reference_cast(std::forward<Reference>(reference));
}
template <class Reference>
Reference&& element(Reference&& reference, long) {
  return std::forward<Reference>(reference);
}

template <class Derived, class Iterator, class Size, class Function>
Iterator for_each_n(execution_policy<Derived>& policy, Iterator first, Size count,
                    Function function) {
  const auto n = static_cast<std::ptrdiff_t>(count);
  const auto body = [first, function](std::ptrdiff_t i) mutable { function(element(first[i], 0)); };
  if (currentThread.inKernel) {
    auto each = body;
    for (std::ptrdiff_t i = 0; i < n; ++i) each(i);
  } else {
    const par_t settings = settingsOf(policy);
    launch(settings, n, "thrust::for_each", body);
    if (settings.waits) wait(settings, "thrust::for_each");
  }
  return n > 0 ? first + n : first;
}
template <class Derived, class Iterator, class Function>
Iterator for_each(execution_policy<Derived>& policy, Iterator first, Iterator last,
                  Function function) {
  return for_each_n(policy, first, last - first, function);
}

/// Adds by halves like a GPU, because a long sum of floats would lose small ones.
template <class Derived, class Iterator, class T, class Operation>
T reduce(execution_policy<Derived>& policy, Iterator first, Iterator last, T start,
         Operation operation) {
  const auto count = static_cast<std::ptrdiff_t>(last - first);
  if (count <= 0) return start;
  return run(policy, "thrust::reduce", [first, count, start, operation]() mutable {
    return static_cast<T>(
        operation(start, nbody::executor::treeReduce<T>(first, count, operation)));
  });
}

#define NBODY_ON_DEVICE(name)                                            \
  template <class Derived, class... Arguments>                           \
  auto name(execution_policy<Derived>& policy, Arguments... arguments) { \
    return run(policy, "thrust::" #name, [arguments...]() mutable {      \
      InKernel inKernel;                                                 \
      return name(inKernel, arguments...);                               \
    });                                                                  \
  }
// Thrust's sequential system implements these, and Thrust makes all others of them.
NBODY_ON_DEVICE(adjacent_difference)
NBODY_ON_DEVICE(binary_search)
NBODY_ON_DEVICE(copy)
NBODY_ON_DEVICE(copy_if)
NBODY_ON_DEVICE(copy_n)
NBODY_ON_DEVICE(exclusive_scan)
NBODY_ON_DEVICE(exclusive_scan_by_key)
NBODY_ON_DEVICE(find_if)
NBODY_ON_DEVICE(inclusive_scan)
NBODY_ON_DEVICE(inclusive_scan_by_key)
NBODY_ON_DEVICE(iter_swap)
NBODY_ON_DEVICE(lower_bound)
NBODY_ON_DEVICE(max_element)
NBODY_ON_DEVICE(merge)
NBODY_ON_DEVICE(merge_by_key)
NBODY_ON_DEVICE(min_element)
NBODY_ON_DEVICE(minmax_element)
NBODY_ON_DEVICE(partition)
NBODY_ON_DEVICE(partition_copy)
NBODY_ON_DEVICE(reduce_by_key)
NBODY_ON_DEVICE(remove)
NBODY_ON_DEVICE(remove_copy)
NBODY_ON_DEVICE(remove_copy_if)
NBODY_ON_DEVICE(remove_if)
NBODY_ON_DEVICE(set_difference)
NBODY_ON_DEVICE(set_intersection)
NBODY_ON_DEVICE(set_symmetric_difference)
NBODY_ON_DEVICE(set_union)
NBODY_ON_DEVICE(stable_partition)
NBODY_ON_DEVICE(stable_partition_copy)
NBODY_ON_DEVICE(stable_sort)
NBODY_ON_DEVICE(stable_sort_by_key)
NBODY_ON_DEVICE(unique)
NBODY_ON_DEVICE(unique_by_key)
NBODY_ON_DEVICE(unique_by_key_copy)
NBODY_ON_DEVICE(unique_copy)
NBODY_ON_DEVICE(unique_count)
NBODY_ON_DEVICE(upper_bound)
#undef NBODY_ON_DEVICE

// Elements that host code accesses, and copies between host and device.

/// Memory for objects whose bytes are copied.
template <class T>
class Objects {
 public:
  explicit Objects(std::size_t count) : room_(count) {}
  T* get() { return reinterpret_cast<T*>(room_.data()); }

 private:
  struct alignas(T) Room {
    unsigned char bytes[sizeof(T)];
  };
  std::vector<Room> room_;
};

template <class Pointer>
auto valueAt(Pointer pointer) {
  using T = std::remove_cv_t<std::remove_reference_t<decltype(*rawPointer(pointer))>>;
  if (nbody::executor::isMemoryOpen()) return T(*rawPointer(pointer));
  Objects<T> value(1);
  copyBytes(value.get(), const_cast<const T*>(rawPointer(pointer)), 1);
  return T(*value.get());
}
template <class To, class From>
void assignAt(To to, From from) {
  using T = std::remove_cv_t<std::remove_reference_t<decltype(*rawPointer(to))>>;
  if (nbody::executor::isMemoryOpen()) {
    *rawPointer(to) = *rawPointer(from);
  } else {
    const T value = static_cast<T>(valueAt(from));
    copyBytes(rawPointer(to), &value, 1);
  }
}
template <class Derived, class Pointer>
auto get_value(execution_policy<Derived>&, Pointer pointer) {
  return valueAt(pointer);
}
template <class Derived, class To, class From>
void assign_value(execution_policy<Derived>&, To to, From from) {
  assignAt(to, from);
}
template <class To, class From>
void assign_value(Crossing&, To to, From from) {
  assignAt(to, from);
}

}  // namespace detail

using detail::execution_policy;
using detail::tag;
inline constexpr detail::par_t par;
inline constexpr detail::par_t par_nosync(false);

}  // namespace cuda
}  // namespace system
namespace cuda {
using thrust::system::cuda::execution_policy;
using thrust::system::cuda::par;
using thrust::system::cuda::par_nosync;
using thrust::system::cuda::tag;
}  // namespace cuda
THRUST_NAMESPACE_END
