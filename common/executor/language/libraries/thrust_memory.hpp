/// \file
/// Thrust's memory resources: device, managed and pinned memory.
#pragma once

#include <thrust/detail/config.h>
#include <thrust/detail/vector_base.h>
#include <thrust/memory.h>
#include <thrust/mr/allocator.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/system/detail/bad_alloc.h>

#include "executor/language/libraries/thrust_policies.hpp"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {

template <class T>
using pointer = thrust::pointer<T, tag>;
template <class T>
using universal_pointer = thrust::pointer<T, tag, typename std::add_lvalue_reference<T>::type>;

namespace detail {

enum class Memory { device, managed, pinned };

template <Memory kind, class Pointer>
class Resource final : public thrust::mr::memory_resource<Pointer> {
 public:
  Pointer do_allocate(std::size_t bytes, std::size_t) override {
    const nbody::executor::Caller caller = nbody::executor::callerOfThrust();
    void* memory = nullptr;
    const cudaError_t error = kind == Memory::device ? cudaMalloc(&memory, bytes, caller)
                              : kind == Memory::managed
                                  ? cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal, caller)
                                  : cudaMallocHost(&memory, bytes, 0, caller);
    if (error == cudaSuccess) return Pointer(memory);
    cudaGetLastError();
    throw thrust::system::detail::bad_alloc(cudaGetErrorString(error));
  }
  void do_deallocate(Pointer memory, std::size_t, std::size_t) override {
    if constexpr (kind == Memory::pinned) cudaFreeHost(memory.get());
    else cudaFree(memory.get());
  }
};

}  // namespace detail

using memory_resource = detail::Resource<detail::Memory::device, pointer<void>>;
using universal_memory_resource =
    detail::Resource<detail::Memory::managed, universal_pointer<void>>;
using universal_host_pinned_memory_resource =
    detail::Resource<detail::Memory::pinned, universal_pointer<void>>;

template <class T>
using universal_allocator = thrust::mr::stateless_resource_allocator<T, universal_memory_resource>;
template <class T, class Allocator = universal_allocator<T>>
using universal_vector = thrust::detail::vector_base<T, Allocator>;
template <class T>
using universal_host_pinned_allocator =
    thrust::mr::stateless_resource_allocator<T, universal_host_pinned_memory_resource>;
template <class T>
using universal_host_pinned_vector =
    thrust::detail::vector_base<T, universal_host_pinned_allocator<T>>;

}  // namespace cuda
}  // namespace system
namespace cuda {
using thrust::system::cuda::pointer;
using thrust::system::cuda::universal_allocator;
using thrust::system::cuda::universal_pointer;
using thrust::system::cuda::universal_vector;
}  // namespace cuda
THRUST_NAMESPACE_END
