// Memory of the host that CUDA is told of, and what it knows of an address.
#include "executor/runtime/allocations.hpp"
#include "executor/runtime/api_call.hpp"
#include "executor/runtime/error_state.hpp"
#include "executor/runtime/memory_api.hpp"
#include "executor/runtime/operations.hpp"

using namespace nbody::executor;
using namespace nbody::executor::runtime;

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned, Caller caller) {
  const ApiCall call;
  if (pointer == nullptr || bytes == 0) return result(cudaErrorInvalidValue);
  if (allocationOf(pointer) != nullptr) return result(cudaErrorHostMemoryAlreadyRegistered);
  addRegistered(pointer, bytes, caller);
  return result();
}
cudaError_t cudaHostUnregister(void* pointer, Caller caller) {
  const ApiCall call;
  finishAll();
  Allocation* a = allocationOf(pointer);
  if (a == nullptr || a->kind != Kind::registered || a->begin != pointer)
    return result(cudaErrorHostMemoryNotRegistered);
  release(*a, caller);
  return result();
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  const ApiCall call;
  const Allocation* a = allocationOf(host);
  if (device == nullptr || a == nullptr || a->kind == Kind::device)
    return result(cudaErrorInvalidValue);
  *device = host;
  return result();
}
